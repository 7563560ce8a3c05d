-- A referee listens at an address, so whoever did before is dead: what that one had need not wait
-- until its leases end. ARGV: referee, address.
for _, id in ipairs(redis.call('ZRANGE', KEY.referees, 0, -1)) do
  if id ~= ARGV[1] and redis.call('HGET', of('referee', id), 'address') == ARGV[2] then
    redis.call('ZADD', KEY.referees, 1, id)
    for _, name in ipairs(redis.call('SMEMBERS', of('referee_matches', id))) do
      redis.call('ZADD', KEY.leases, 'XX', 1, name)
    end
  end
end
return 1
