-- Go on holding a ticket. ARGV: tournament, ticket, time to live (ms).
local ticket = string.match(redis.call('GET', of('settling', ARGV[1])) or '', '^(%d+):')
if ticket ~= ARGV[2] then return 0 end
return redis.call('PEXPIRE', of('settling', ARGV[1]), ARGV[3])
