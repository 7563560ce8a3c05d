-- A referee takes over what dead ones had yet to tell bots that are connected to it.
-- ARGV: referee, for how long it is told (ms), bot …. Returns {"match bot", ends (JSON)} of each
-- it has to tell, those it took before too.
local id, keep, here, alive, found = ARGV[1], num(ARGV[2]), {}, {}, {}
for i = 3, #ARGV do here[ARGV[i]] = true end
for _, referee in ipairs(live_ids()) do alive[referee] = true end
local flat = redis.call('HGETALL', KEY.untold)
for i = 1, #flat, 2 do
  local owed = cjson.decode(flat[i + 1])
  local bot = string.match(flat[i], ' (%S+)$')
  if NOW - owed.at > keep then
    redis.call('HDEL', KEY.untold, flat[i])
  elseif here[bot] and (owed.referee == id or not alive[owed.referee]) then
    owed.referee = id
    redis.call('HSET', KEY.untold, flat[i], cjson.encode(owed))
    found[#found + 1] = {flat[i], cjson.encode(owed.ends)}
  end
end
return found
