-- The safety net: what stands still waits again. ARGV: limit, stall (ms), how long ago the last
-- look may have been (ms), the grace given if it was longer (ms). Returns the matches.
local limit, stall, awake, grace = num(ARGV[1]), num(ARGV[2]), num(ARGV[3]), num(ARGV[4])
local found = {}

-- Nobody looked for a while: the store was away, or all who look were. Then leases that ran out
-- say nothing of their holders, who get time to renew them.
local before = num(redis.call('GET', KEY.swept))
redis.call('SET', KEY.swept, int(NOW))
if before > 0 and NOW - before > awake then
  for _, key in ipairs({KEY.leases, KEY.referees}) do
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', int(NOW + grace))) do
      redis.call('ZADD', key, int(NOW + grace), id)
    end
  end
  for _, id in ipairs(redis.call('ZRANGE', KEY.progress, 0, -1)) do
    redis.call('ZADD', KEY.progress, int(NOW), id)
  end
  return found
end

-- An attempt that makes no progress may make none at the next referee either: moved once.
local function stalled_again(match, reason)
  return reason == 'no progress'
    and redis.call('HINCRBY', of('checkpoint', match.id), 'stalls', 1) > 1
end

local function take(ids, reason)
  for _, id in ipairs(ids) do
    local match = match_of(id)
    if match and (match.st == 'queued' or match.st == 'leased' or match.st == 'playing') then
      if redis.call('EXISTS', of('checkpoint', match.id)) == 1 and stalled_again(match, reason) then
        void(match, reason)
      else
        lose(match, reason)
      end
      found[#found + 1] = id
    else
      redis.call('ZREM', KEY.leases, id)
      redis.call('ZREM', KEY.progress, id)
    end
  end
end
local function overdue(key, before)
  return redis.call('ZRANGEBYSCORE', key, '-inf', int(before), 'LIMIT', 0, limit)
end

take(overdue(KEY.leases, NOW), 'lease expired')
take(overdue(KEY.progress, NOW - stall), 'no progress')

-- A dead referee: what lies in its inbox is free at once, what it leased when the lease ends.
for _, id in ipairs(overdue(KEY.referees, NOW)) do
  local queued, left = {}, 0
  for _, match in ipairs(redis.call('SMEMBERS', of('referee_matches', id))) do
    if redis.call('HGET', of('match', match), 'st') == 'queued' then
      queued[#queued + 1] = match
    else
      left = left + 1
    end
  end
  take(queued, 'referee gone')
  if left == 0 then
    redis.call('ZREM', KEY.referees, id)
    redis.call('DEL', of('referee', id), of('referee_bots', id), of('referee_loads', id),
      of('referee_matches', id), of('inbox', id))
    end_journal(id)
  end
end

-- Taken by a dispatch that never came to place it.
for _, id in ipairs(overdue(KEY.pending, NOW)) do
  redis.call('ZREM', KEY.pending, id)
  local match = match_of(id)
  if match and match.st == 'scheduled' then
    wait(match)
    found[#found + 1] = id
  end
end
return found
