-- The holder gives its match to whoever goes on with it. ARGV: match, fence, reason, secret.
-- Returns 1, 0 if it is not its. Without a checkpoint the attempt is voided.
local match = match_of(ARGV[1])
if not held(match, ARGV[2]) then return 0 end
lose(match, ARGV[3], ARGV[4])
return 1
