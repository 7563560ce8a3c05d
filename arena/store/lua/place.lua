-- Put a scheduled match into the inbox of the referee that suits it best.
-- ARGV: match, how long it may lie there (ms). Returns {what, referee, bot}.
local match = match_of(ARGV[1])
redis.call('ZREM', KEY.pending, ARGV[1])
if not match or match.st ~= 'scheduled' then return {'nothing', '', ''} end
local tournament = fields(of('tournament', match.t), 'state', 'since', 'grace')
if tournament.state == 'cancelled' then return {'nothing', '', ''} end
local function keep(what, bot)
  wait(match)
  return {what, '', bot or ''}
end
if tournament.state ~= 'scheduling' and tournament.state ~= 'running' then return keep('held') end

local referees = live_referees()
if #referees == 0 then return keep('full') end
local present, absent = {}, {}
for _, bot in ipairs(bots_of(match)) do
  local more = spare(bot, referees)
  if more == nil then
    if not no_show(bot, referees, tournament) then return keep('waiting', bot) end
    absent[#absent + 1] = bot
  elseif more < 1 then
    return keep('waiting', bot)
  else
    present[#present + 1] = bot
  end
end

-- Best: the fewest bots to summon from elsewhere, then the least loaded for its size.
local best, best_away, best_load = nil, nil, nil
for _, referee in ipairs(referees) do
  if referee.room > 0 then
    local away = {}
    for _, bot in ipairs(present) do
      local here = num(redis.call('HGET', of('referee_bots', referee.id), bot))
      if here <= num(redis.call('HGET', of('referee_loads', referee.id), bot)) then
        away[#away + 1] = bot
      end
    end
    local load = referee.load / num(referee.capacity)
    if not best or #away < #best_away or (#away == #best_away and load < best_load) then
      best, best_away, best_load = referee, away, load
    end
  end
end
if not best then return keep('full') end

for _, bot in ipairs(present) do
  redis.call('HINCRBY', KEY.loads, bot, 1)
  redis.call('HINCRBY', of('referee_loads', best.id), bot, 1)
end
redis.call('ZREM', of('waiting', match.t), match.i .. ':' .. match.e)
redis.call('ZADD', KEY.leases, int(NOW + num(ARGV[2])), match.id)
redis.call('SADD', of('referee_matches', best.id), match.id)
local entry = redis.call('XADD', of('inbox', best.id), '*', 'kind', 'order', 'match', match.id)
redis.call('HSET', of('match', match.id), 'r', best.id, 'x', entry,
  'ld', table.concat(present, ','), 'ns', table.concat(absent, ','),
  'sm', table.concat(best_away, ','))
become(match, 'queued')
return {'placed', best.id, ''}
