-- Give an owner ("role:name") another token, the old one void in the same moment. ARGV: owner,
-- SHA-256 of the new one or '' for none. Returns 1 when there was one before.
local old = redis.call('HGET', KEY.token_of, ARGV[1])
if old then redis.call('HDEL', KEY.tokens, old) end
if ARGV[2] == '' then
  redis.call('HDEL', KEY.token_of, ARGV[1])
else
  redis.call('HSET', KEY.token_of, ARGV[1], ARGV[2])
  redis.call('HSET', KEY.tokens, ARGV[2], ARGV[1])
end
return old and 1 or 0
