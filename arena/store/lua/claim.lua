-- A ticket to derive a tournament's standings, for one at a time. ARGV: tournament, interval (ms),
-- time to live (ms). Returns the ticket, '' when there is nothing to do or it is not yet time.
local id = ARGV[1]
local tournament = fields(of('tournament', id), 'n:finished', 'total', 'state')
local table_ = fields(of('table', id), 'at', 'took', 'results')
local finished = num(tournament['n:finished'])
if redis.call('SISMEMBER', KEY.dirty, id) == 0 then return '' end
if redis.call('EXISTS', of('settling', id)) == 1 then return '' end
-- Deriving takes at most a fifth of the time, however large the tournament has grown.
local pause = math.max(num(ARGV[2]), 4 * num(table_.took))
local complete = finished >= num(tournament.total)
if not complete and NOW - num(table_.at) < pause then return '' end
local ticket = int(redis.call('INCR', KEY.ticket))
redis.call('SET', of('settling', id), ticket .. ':' .. int(NOW), 'PX', ARGV[3])
return ticket
