-- A referee takes nothing for now: what is queued there waits for another, and it is given no more
-- until its next heartbeat that says so. ARGV: referee. Returns those matches.
local id, freed = ARGV[1], {}
if redis.call('EXISTS', of('referee', id)) == 1 then
  redis.call('HSET', of('referee', id), 'draining', '1')
end
for _, name in ipairs(redis.call('SMEMBERS', of('referee_matches', id))) do
  local match = match_of(name)
  if match and match.st == 'queued' and match.r == id then
    lose(match, 'handed back')
    freed[#freed + 1] = name
  end
end
return freed
