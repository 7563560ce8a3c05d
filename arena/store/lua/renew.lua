-- Renew many leases. ARGV: time to live (ms), then match, fence, progress, games over ('': as they
-- were) of each. Returns the matches whose lease is lost. Progress made is noted with its time.
local lost, moved, ends = {}, {}, int(NOW + num(ARGV[1]))
for i = 2, #ARGV, 4 do
  local match = match_of(ARGV[i])
  if held(match, ARGV[i + 1]) then
    redis.call('ZADD', KEY.leases, ends, match.id)
    if ARGV[i + 2] ~= match.p then
      redis.call('HSET', of('match', match.id), 'p', ARGV[i + 2])
      redis.call('ZADD', KEY.progress, int(NOW), match.id)
    end
    if ARGV[i + 3] ~= '' and count(match, num(ARGV[i + 3])) then moved[match.t] = true end
  else
    lost[#lost + 1] = ARGV[i]
  end
end
for tournament in pairs(moved) do event(tournament, 'progress', {}) end
return lost
