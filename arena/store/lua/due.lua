-- Take waiting matches for which there is room now, in schedule order, for dispatch to place.
-- ARGV: limit, how long dispatch has (ms), how many waiting matches to look at in one place.
-- The tournament with the fewest matches under way is served first.
local limit, hold, window = num(ARGV[1]), num(ARGV[2]), num(ARGV[3])
local referees = live_referees()
local room = -redis.call('ZCARD', KEY.pending)
for _, referee in ipairs(referees) do room = room + math.max(referee.room, 0) end
limit = math.min(limit, room)
if limit <= 0 then return {} end

local tournaments = {}
for _, id in ipairs(redis.call('SMEMBERS', KEY.active)) do
  local tournament = fields(of('tournament', id), 'since', 'grace', 'n:queued', 'n:leased',
    'n:playing', 'scan')
  tournament.id = id
  tournament.load = num(tournament['n:queued']) + num(tournament['n:leased'])
    + num(tournament['n:playing'])
  tournaments[#tournaments + 1] = tournament
end
table.sort(tournaments, function(a, b)
  if a.load ~= b.load then return a.load < b.load end
  return a.id < b.id
end)

-- spares: bot → how many more matches it takes, false when it is absent. over: of the absent,
-- whose grace is over in the tournament at hand.
local spares, over, taken = {}, {}, {}
local function fits(bot, tournament)
  if spares[bot] == nil then spares[bot] = spare(bot, referees) or false end
  if spares[bot] then return spares[bot] >= 1 end
  if over[bot] == nil then over[bot] = no_show(bot, referees, tournament) end
  return over[bot]
end

local function scan(tournament, teams, from, quota)
  local got = 0
  local waiting = of('waiting', tournament.id)
  for _, member in ipairs(redis.call('ZRANGE', waiting, from, from + window - 1)) do
    if got >= quota then break end
    local index, entrants = string.match(member, '^(%d+):(.*)$')
    local fit, bots = true, {}
    for _, entrant in ipairs(split(entrants)) do
      for _, bot in ipairs(split(teams[entrant])) do
        fit = fit and fits(bot, tournament)
        bots[bot] = true
      end
      if not fit then break end
    end
    if fit then
      for bot in pairs(bots) do
        if spares[bot] then spares[bot] = spares[bot] - 1 end
      end
      local id = tournament.id .. '-m' .. index
      redis.call('ZREM', waiting, member)
      redis.call('ZADD', KEY.pending, int(NOW + hold), id)
      taken[#taken + 1] = id
      got = got + 1
    end
  end
  return got
end

for place, tournament in ipairs(tournaments) do
  local quota = math.ceil((limit - #taken) / (#tournaments - place + 1))
  local size = redis.call('ZCARD', of('waiting', tournament.id))
  if quota > 0 and size > 0 then
    over = {}
    local teams, flat = {}, redis.call('HGETALL', of('entrants', tournament.id))
    for i = 1, #flat, 2 do teams[flat[i]] = flat[i + 1] end
    local got = scan(tournament, teams, 0, quota)
    -- Where the head of the schedule waits for absent or busy bots, look further on, at another
    -- place each time until there is something to take.
    if got < quota and size > window then
      local from = math.max(num(tournament.scan), window)
      if from >= size then from = window end
      if scan(tournament, teams, from, quota - got) == 0 then
        redis.call('HSET', of('tournament', tournament.id), 'scan', from + window)
      end
    end
  end
end
return taken
