-- Write a result, once and for ever. ARGV: match, fence, result (JSON), record, secret, SHA-256 of
-- the record, when it was over (ms, 0: now), what its bots are to be told (JSON, by bot), then
-- counter, amount … to add to the tournament.
-- Returns a word of types.Finish. (restoring.py writes the same result from its record.)
local match = match_of(ARGV[1])
if not match then return 'unknown' end
local results = of('results', match.t)
local stands = redis.call('HGET', results, match.i)
if stands then
  if cjson.decode(stands).fence == num(ARGV[2]) then return 'again' end
  redis.call('HINCRBY', KEY.rejected, 'duplicate', 1)
  return 'duplicate'
end
if match.st == 'cancelled' then return 'cancelled' end
if not held(match, ARGV[2]) then
  redis.call('HINCRBY', KEY.rejected, 'stale', 1)
  return 'stale'
end
local at = num(ARGV[7]) > 0 and ARGV[7] or int(NOW)
local function quoted(text) return cjson.encode(text) end
-- Put together as text: decoding and encoding the result would turn its numbers to floats.
redis.call('HSET', results, match.i, '{"entrants":[' .. match.e .. '],"fence":' .. ARGV[2]
  .. ',"attempt":' .. match.n .. ',"at":' .. at .. ',"record":' .. quoted(ARGV[4])
  .. ',"secret":' .. quoted(ARGV[5]) .. ',"sha256":' .. quoted(ARGV[6])
  .. ',"result":' .. ARGV[3] .. '}')
detach(match)
forget(match)
become(match, 'finished')
redis.call('HSET', of('match', match.id), 'd', at, 'rec', ARGV[4])
for i = 9, #ARGV, 2 do
  redis.call('HINCRBY', of('tournament', match.t), ARGV[i], ARGV[i + 1])
end
-- Should the referee die before it has told them, another one does.
for bot, ends in pairs(cjson.decode(ARGV[8])) do
  redis.call('HSET', KEY.untold, match.id .. ' ' .. bot,
    cjson.encode({referee = match.r, at = NOW, ends = ends}))
end
redis.call('SADD', KEY.dirty, match.t)
event(match.t, 'match', {match = match.id, state = 'finished', attempt = num(match.n)})
return 'written'
