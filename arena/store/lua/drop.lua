-- Give a ticket back without standings. ARGV: tournament, ticket.
local ticket = string.match(redis.call('GET', of('settling', ARGV[1])) or '', '^(%d+):')
if ticket ~= ARGV[2] then return 0 end
return redis.call('DEL', of('settling', ARGV[1]))
