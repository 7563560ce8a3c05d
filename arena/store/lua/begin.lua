-- The attempt begins. ARGV: match, fence, commitment. Returns 1, or 0 when the lease is lost.
local match = match_of(ARGV[1])
if not held(match, ARGV[2]) then return 0 end
redis.call('HSET', of('match', match.id), 'c', ARGV[3])
redis.call('ZADD', KEY.progress, int(NOW), match.id)
if match.st == 'leased' then
  become(match, 'playing')
  event(match.t, 'match', {match = match.id, state = 'playing', attempt = num(match.n),
    referee = match.r})
end
return 1
