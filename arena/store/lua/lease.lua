-- A referee takes an order from its inbox. ARGV: match, referee, time to live (ms).
-- Returns {fence, attempt, 1 when it goes on from a checkpoint}; nothing when the match is not
-- (any more) this referee's.
local match = match_of(ARGV[1])
if not match or match.r ~= ARGV[2] then return false end
local goes_on = redis.call('EXISTS', of('checkpoint', match.id))
if match.st == 'leased' or match.st == 'playing' then
  return {num(match.f), num(match.n), goes_on} -- asked again after a lost answer
end
if match.st ~= 'queued' then return false end
-- Greater than any given out before, also than those of a last second a power cut took away.
local fence = math.max(num(redis.call('GET', KEY.fence)) + 1, NOW)
redis.call('SET', KEY.fence, int(fence))
redis.call('HSET', of('match', match.id), 'f', int(fence), 'p', 0)
redis.call('SREM', KEY.moved, match.id)
if goes_on == 0 then
  match.n = num(match.n) + 1
  redis.call('HSET', of('match', match.id), 'n', match.n, 'c', '', 'b', int(NOW))
end
redis.call('ZADD', KEY.leases, int(NOW + num(ARGV[3])), match.id)
redis.call('ZADD', KEY.progress, int(NOW), match.id)
become(match, 'leased')
return {fence, num(match.n), goes_on}
