-- The holder voids its attempt. ARGV: match, fence, reason, secret. Returns 1, 0 if not its.
local match = match_of(ARGV[1])
if not held(match, ARGV[2]) then return 0 end
void(match, ARGV[3], ARGV[4])
return 1
