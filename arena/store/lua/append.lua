-- The next entry of a referee's journal, once. ARGV: referee, life of the store, number of the
-- entry (0: none, only to say that all is there), the oldest number still needed, entry, then the
-- seals the referee knows of. Returns 1 when the entry is there, else nothing was written and
--   {'sealed', "match fence" …}  matches taken from the referee: leave them out and say so
--   {'behind', last}             entries after that one are missing: the store has forgotten them
--   {'gone'}                     there is no such journal (any more)
local pen, number = of('pen', ARGV[1]), num(ARGV[3])
local last = redis.call('HGET', pen, 'last')
if not last then return {'gone'} end
last = num(last)
if number > 0 and last >= number then
  redis.call('HSET', pen, 'life', ARGV[2])
  return 1 -- told again after a lost answer
end
local sealed = of('sealed', ARGV[1])
for i = 6, #ARGV do redis.call('SREM', sealed, ARGV[i]) end
local taken = redis.call('SMEMBERS', sealed)
if #taken > 0 then return {'sealed', unpack(taken)} end
if number == 0 then return {'behind', int(last)} end
if last ~= number - 1 then return {'behind', int(last)} end
redis.call('XADD', of('journal', ARGV[1]), 'MINID', '~', ARGV[4] .. '-0', ARGV[3] .. '-1', 'd', ARGV[5])
redis.call('HSET', pen, 'last', ARGV[3], 'life', ARGV[2])
return 1
