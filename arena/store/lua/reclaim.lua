-- The safety net: what stands still waits again. ARGV: limit, stall (ms). Returns the matches.
local limit, stall = num(ARGV[1]), num(ARGV[2])
local found = {}
local function take(ids, reason)
  for _, id in ipairs(ids) do
    local match = match_of(id)
    if match and (match.st == 'queued' or match.st == 'leased' or match.st == 'playing') then
      void(match, reason)
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
