-- A referee's journal begins, empty. ARGV: referee, life of the store, number of the entry before
-- the first. See journal.py.
local id = ARGV[1]
redis.call('DEL', of('journal', id), of('sealed', id))
redis.call('HSET', of('pen', id), 'last', ARGV[3], 'life', ARGV[2])
return 1
