-- What a match goes on from if its referee dies. ARGV: match, fence, referee, then field, value ….
-- Returns 1; 0 when the lease is lost.
local match = match_of(ARGV[1])
if not held(match, ARGV[2]) then return 0 end
local key = of('checkpoint', match.id)
local before = redis.call('HGET', key, 'referee')
redis.call('HSET', key, 'referee', unpack(ARGV, 3))
redis.call('SADD', of('journaled', ARGV[3]), match.id)
if before and before ~= ARGV[3] then unjournal(before, match.id) end
return 1
