-- A referee lives. ARGV: referee, time to live (ms), address, capacity, ahead, draining,
-- then bot, matches at once …. Returns 1 when there is more room than before.
local id, ends = ARGV[1], int(NOW + num(ARGV[2]))
local before = fields(of('referee', id), 'capacity', 'draining', 'since')
local was = redis.call('ZSCORE', KEY.referees, id)
local lapsed = not was or num(was) <= NOW
local more = lapsed or num(ARGV[4]) > num(before.capacity)
  or (before.draining == '1' and ARGV[6] ~= '1')
redis.call('ZADD', KEY.referees, ends, id)
redis.call('HSET', of('referee', id), 'address', ARGV[3], 'capacity', ARGV[4], 'ahead', ARGV[5],
  'draining', ARGV[6], 'since', lapsed and int(NOW) or before.since)

local old, flat = {}, redis.call('HGETALL', of('referee_bots', id))
for i = 1, #flat, 2 do old[flat[i]] = num(flat[i + 1]) end
redis.call('DEL', of('referee_bots', id))
for i = 7, #ARGV, 2 do
  redis.call('HSET', of('referee_bots', id), ARGV[i], ARGV[i + 1])
  if num(ARGV[i + 1]) > 0 then
    redis.call('HSET', KEY.seen, ARGV[i], int(NOW))
    if num(ARGV[i + 1]) > num(old[ARGV[i]]) then more = true end
    old[ARGV[i]] = nil
  end
end
for bot, matches in pairs(old) do -- gone, or takes no more: its grace begins
  if matches > 0 then redis.call('HSET', KEY.seen, bot, int(NOW)) end
end
if redis.call('EXISTS', of('inbox', id)) == 0 then
  redis.call('XGROUP', 'CREATE', of('inbox', id), INBOX_GROUP, '0', 'MKSTREAM')
end
return more and 1 or 0
