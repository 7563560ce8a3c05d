-- Start, pause, resume or cancel a tournament. ARGV: id, which of these, note.
-- Returns the state it is in now, '' when unknown, '!' and the state when that cannot be done.
local id, action = ARGV[1], ARGV[2]
local tournament = fields(of('tournament', id), 'state', 'cursor', 'total', 'started')
local state = tournament.state
if state == '' then return '' end
local going = state == 'scheduling' or state == 'running'

local function enter(new)
  redis.call('HSET', of('tournament', id), 'state', new, 'note', ARGV[3])
  event(id, 'state', {state = new, note = ARGV[3]})
  return new
end

-- Matches under way at any referee, dead ones too.
local function under_way()
  local found = {}
  for _, referee in ipairs(redis.call('ZRANGE', KEY.referees, 0, -1)) do
    for _, name in ipairs(redis.call('SMEMBERS', of('referee_matches', referee))) do
      local match = match_of(name)
      if match and match.t == id then found[#found + 1] = match end
    end
  end
  return found
end

local function go()
  redis.call('SADD', KEY.active, id)
  -- A cursor that has not moved for long is what sweep looks for; give it no cause yet.
  redis.call('HSET', of('tournament', id), 'since', int(NOW), 'cursor_at', int(NOW))
  return enter(num(tournament.cursor) < num(tournament.total) and 'scheduling' or 'running')
end

if action == 'start' then
  if going then return state end
  if state ~= 'created' then return '!' .. state end
  redis.call('HSET', of('tournament', id), 'started', int(NOW))
  return go()
elseif action == 'pause' then
  if state == 'paused' then return state end
  if not going then return '!' .. state end
  redis.call('SREM', KEY.active, id)
  return enter('paused')
elseif action == 'resume' then
  if going then return state end
  if state ~= 'paused' then return '!' .. state end
  return go()
elseif action == 'cancel' then
  if state == 'cancelled' then return state end
  if state == 'finished' then return '!' .. state end
  redis.call('SREM', KEY.active, id)
  redis.call('HSET', of('tournament', id), 'finished', int(NOW))
  enter('cancelled')
  for _, match in ipairs(under_way()) do
    local referee, queued = match.r, match.st == 'queued'
    void(match, 'cancelled')
    if not queued then
      redis.call('XADD', of('inbox', referee), '*', 'kind', 'cancel', 'match', match.id)
    end
  end
  for _, name in ipairs(redis.call('SMEMBERS', KEY.moved)) do
    local match = match_of(name)
    if match and match.t == id then void(match, 'cancelled') end
  end
  -- What never began needs no touch of its own: a scheduled match of a cancelled tournament
  -- reads as cancelled.
  redis.call('UNLINK', of('waiting', id))
  return 'cancelled'
end
return redis.error_reply('no action ' .. action)
