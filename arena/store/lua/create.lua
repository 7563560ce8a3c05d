-- A new tournament. ARGV: id, fields of its hash as a JSON object of strings, then the bots of
-- each entrant in order. Returns 1, 0 when the id is taken.
local id = ARGV[1]
if redis.call('EXISTS', of('tournament', id)) == 1 then return 0 end
for name, value in pairs(cjson.decode(ARGV[2])) do
  redis.call('HSET', of('tournament', id), name, value)
end
redis.call('HSET', of('tournament', id), 'state', 'created', 'created', int(NOW), 'cursor', 0)
for i = 3, #ARGV do redis.call('HSET', of('entrants', id), i - 3, ARGV[i]) end
redis.call('ZADD', KEY.tournaments, int(NOW), id)
event(id, 'state', {state = 'created'})
return 1
