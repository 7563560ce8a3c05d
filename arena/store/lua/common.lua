-- What all scripts share. KEY, FAMILY, INBOX_GROUP and of() come from keys.py.

local function num(value) return tonumber(value or 0) or 0 end
local function int(value) return string.format('%.0f', value) end

local NOW
do
  local time = redis.call('TIME')
  NOW = num(time[1]) * 1000 + math.floor(num(time[2]) / 1000)
end

local function split(text)
  local parts = {}
  for part in string.gmatch(text or '', '[^,]+') do parts[#parts + 1] = part end
  return parts
end

-- Fields of a hash as a table, '' where there is none.
local function fields(key, ...)
  local names, out = {...}, {}
  local values = redis.call('HMGET', key, ...)
  for i, name in ipairs(names) do out[name] = values[i] or '' end
  return out
end

local function event(tournament, kind, data)
  redis.call('XADD', of('events', tournament), 'MAXLEN', '~', 2000, '*',
    'kind', kind, 'data', cjson.encode(data))
end

-- Matches ------------------------------------------------------------------------------------
-- t tournament, i index, e entrants, s seating, bt bots of teams by seat, st state, n attempts,
-- r referee, f fence, x inbox entry, c commitment, p progress, g games over in this attempt,
-- b begun, d done, rec record, ld bots it counts as a load of, ns no-shows, sm summoned

local function match_of(id)
  local match = fields(of('match', id), 't', 'i', 'e', 'st', 'n', 'r', 'f', 'x', 'c', 'p', 'b',
    'g')
  match.id = id
  if match.t == '' then return nil end
  return match
end

local function held(match, fence)
  return match and (match.st == 'leased' or match.st == 'playing') and match.f == fence
end

-- Change the state and keep the tournament's counters true.
local function become(match, state)
  local tournament = of('tournament', match.t)
  redis.call('HINCRBY', tournament, 'n:' .. match.st, -1)
  redis.call('HINCRBY', tournament, 'n:' .. state, 1)
  redis.call('HSET', of('match', match.id), 'st', state)
  match.st = state
end

local function wait(match)
  redis.call('ZADD', of('waiting', match.t), match.i, match.i .. ':' .. match.e)
end

-- The bots of a match, each once.
local function bots_of(match)
  local found, known = {}, {}
  for _, team in ipairs(redis.call('HMGET', of('entrants', match.t), unpack(split(match.e)))) do
    for _, bot in ipairs(split(team)) do
      if not known[bot] then
        known[bot] = true
        found[#found + 1] = bot
      end
    end
  end
  return found
end

-- Games over in the attempt under way, of which its tournament keeps the sum ('under'); whether
-- they are other than before. A finished match's games are counted for good by finish.
local function count(match, games)
  local more = games - num(match.g)
  if more == 0 then return false end
  redis.call('HINCRBY', of('tournament', match.t), 'under', int(more))
  redis.call('HSET', of('match', match.id), 'g', int(games))
  match.g = games
  return true
end

-- Take a match from its referee's hands: leases, loads and, if it lies there still, the inbox.
local function detach(match)
  redis.call('ZREM', KEY.leases, match.id)
  redis.call('ZREM', KEY.progress, match.id)
  if redis.call('SREM', of('referee_matches', match.r), match.id) == 0 then return end
  for _, bot in ipairs(split(redis.call('HGET', of('match', match.id), 'ld'))) do
    if redis.call('HINCRBY', KEY.loads, bot, -1) <= 0 then redis.call('HDEL', KEY.loads, bot) end
    local loads = of('referee_loads', match.r)
    if redis.call('HINCRBY', loads, bot, -1) <= 0 then redis.call('HDEL', loads, bot) end
  end
  if match.x ~= '' then
    redis.call('XACK', of('inbox', match.r), INBOX_GROUP, match.x)
    redis.call('XDEL', of('inbox', match.r), match.x)
  end
end

-- Journals: what a match goes on from (journal.py) ----------------------------------------------

-- A referee's journal, once it and all who might go on from it are gone.
local function end_journal(referee)
  if redis.call('SCARD', of('journaled', referee)) > 0 then return end
  if redis.call('ZSCORE', KEY.referees, referee) then return end
  redis.call('DEL', of('journal', referee), of('pen', referee), of('sealed', referee))
end

local function unjournal(referee, id)
  redis.call('SREM', of('journaled', referee), id)
  end_journal(referee)
end

-- Nobody goes on with this attempt. (One that is gone on with keeps its games over meanwhile: they
-- were played, and progress never goes back for a match that moves.)
local function forget(match)
  count(match, 0)
  local referee = redis.call('HGET', of('checkpoint', match.id), 'referee')
  if not referee then return end
  redis.call('SREM', KEY.moved, match.id)
  redis.call('DEL', of('checkpoint', match.id))
  unjournal(referee, match.id)
end

-- From now on the referee that had it can append nothing to it.
local function seal(match)
  if match.r ~= '' and match.f ~= '' and redis.call('EXISTS', of('pen', match.r)) == 1 then
    redis.call('SADD', of('sealed', match.r), match.id .. ' ' .. match.f)
  end
end

-- Void whatever is under way and let the match wait again (or drop it with its tournament).
local function void(match, reason, secret)
  local begun = match.st ~= 'queued' or match.c ~= ''
  detach(match)
  seal(match)
  forget(match)
  if begun then
    redis.call('RPUSH', of('attempts', match.id), cjson.encode({
      attempt = num(match.n), referee = match.r, reason = reason, commitment = match.c,
      secret = secret or '', progress = num(match.p), began_at = num(match.b), at = NOW,
    }))
    redis.call('HINCRBY', of('tournament', match.t), 'voided', 1)
    event(match.t, 'match', {match = match.id, state = 'voided', reason = reason})
  end
  redis.call('HSET', of('match', match.id), 'r', '', 'f', '', 'x', '', 'c', '', 'p', 0, 'ld', '')
  if redis.call('HGET', of('tournament', match.t), 'state') == 'cancelled' then
    become(match, 'cancelled')
  else
    become(match, 'scheduled')
    wait(match)
  end
end

-- Take a match from its referee. An attempt that can be gone on with waits for the next one, any
-- other is voided.
local function lose(match, reason, secret)
  if redis.call('EXISTS', of('checkpoint', match.id)) == 0
    or redis.call('HGET', of('tournament', match.t), 'state') == 'cancelled' then
    return void(match, reason, secret)
  end
  detach(match)
  seal(match)
  event(match.t, 'match', {match = match.id, state = 'moved', reason = reason})
  redis.call('HSET', of('match', match.id), 'r', '', 'f', '', 'x', '', 'ld', '')
  redis.call('SADD', KEY.moved, match.id)
  become(match, 'scheduled')
  wait(match)
end

-- Referees -----------------------------------------------------------------------------------

local function live_ids()
  return redis.call('ZRANGEBYSCORE', KEY.referees, '(' .. int(NOW), '+inf')
end

-- Live referees with their room: how many more matches each can be given.
local function live_referees()
  local found = {}
  for _, id in ipairs(live_ids()) do
    local referee = fields(of('referee', id), 'address', 'capacity', 'ahead', 'draining', 'since')
    referee.id = id
    referee.load = redis.call('SCARD', of('referee_matches', id))
    referee.room = 0
    if referee.draining ~= '1' and num(referee.capacity) > 0 then
      referee.room = num(referee.capacity) + num(referee.ahead) - referee.load
    end
    found[#found + 1] = referee
  end
  return found
end

-- How many more matches a bot can be given: nil when it is connected nowhere. One that is there
-- but takes none is as good as absent: a tournament does not wait for it for ever.
local function spare(bot, referees)
  local total = 0
  for _, referee in ipairs(referees) do
    total = total + num(redis.call('HGET', of('referee_bots', referee.id), bot))
  end
  if total <= 0 then return nil end
  return total - num(redis.call('HGET', KEY.loads, bot))
end

-- Whether an absent bot's grace is over. Time in which the arena itself was away does not count:
-- not before the tournament was started or resumed, nor before the newest referee came.
local function no_show(bot, referees, tournament)
  local since = math.max(num(redis.call('HGET', KEY.seen, bot)), num(tournament.since))
  for _, referee in ipairs(referees) do since = math.max(since, num(referee.since)) end
  return NOW - since >= num(tournament.grace)
end
