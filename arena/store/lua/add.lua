-- Append a batch to the schedule. ARGV: tournament, index of the first, then entrants and
-- seating of each, comma-separated, and its bots (JSON, '' mostly). Returns 1;
-- 0 for a batch that does not begin at the cursor, -1 for an unknown tournament: nothing changed.
local id, index = ARGV[1], num(ARGV[2])
local key = of('tournament', id)
local tournament = fields(key, 'state', 'cursor', 'total')
if tournament.state == '' then return -1 end
local cursor = num(tournament.cursor)
if tournament.state ~= 'scheduling' or index ~= cursor then return 0 end
for i = 3, #ARGV, 3 do
  local text = int(cursor)
  redis.call('HSET', of('match', id .. '-m' .. text), 't', id, 'i', text, 'e', ARGV[i],
    's', ARGV[i + 1], 'st', 'scheduled')
  if ARGV[i + 2] ~= '' then redis.call('HSET', of('match', id .. '-m' .. text), 'bt', ARGV[i + 2]) end
  redis.call('ZADD', of('waiting', id), text, text .. ':' .. ARGV[i])
  cursor = cursor + 1
end
redis.call('HINCRBY', key, 'n:scheduled', cursor - index)
redis.call('HSET', key, 'cursor', cursor, 'cursor_at', int(NOW))
if cursor >= num(tournament.total) then
  redis.call('HSET', key, 'state', 'running')
  event(id, 'state', {state = 'running'})
end
return 1
