-- A referee ends: whatever it had waits for another. ARGV: referee. Returns those matches.
local id, freed = ARGV[1], {}
for _, name in ipairs(redis.call('SMEMBERS', of('referee_matches', id))) do
  local match = match_of(name)
  if match then
    lose(match, 'referee left')
    freed[#freed + 1] = name
  end
end
local bots = redis.call('HKEYS', of('referee_bots', id))
for _, bot in ipairs(bots) do redis.call('HSET', KEY.seen, bot, int(NOW)) end
redis.call('ZREM', KEY.referees, id)
redis.call('DEL', of('referee', id), of('referee_bots', id), of('referee_loads', id),
  of('referee_matches', id), of('inbox', id))
end_journal(id)
return freed
