-- Store standings derived under a ticket. ARGV: tournament, ticket, number of results, table
-- (JSON). All results of all matches finish the tournament. Returns 1, 0 when the ticket expired.
local id, results = ARGV[1], num(ARGV[3])
local ticket, began = string.match(redis.call('GET', of('settling', id)) or '', '^(%d+):(%d+)$')
if ticket ~= ARGV[2] then return 0 end
redis.call('DEL', of('settling', id))
local key = of('tournament', id)
local tournament = fields(key, 'state', 'n:finished', 'total')
local final = results >= num(tournament.total)
redis.call('HSET', of('table', id), 'results', ARGV[3], 'at', int(NOW), 'took',
  int(NOW - num(began)), 'final', final and 1 or 0, 'table', ARGV[4])
if results >= num(tournament['n:finished']) then redis.call('SREM', KEY.dirty, id) end
event(id, 'standings', {results = results, final = final})
if final and tournament.state ~= 'finished' and tournament.state ~= 'cancelled' then
  redis.call('SREM', KEY.active, id)
  redis.call('HSET', key, 'state', 'finished', 'finished', int(NOW))
  event(id, 'state', {state = 'finished'})
end
return 1
