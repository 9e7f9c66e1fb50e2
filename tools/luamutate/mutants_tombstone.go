package main

func tombstoneMutants() []mutant {
	return []mutant{
		{"redis.pcall('GETRANGE', KEYS[1], 0, 0)", "redis.call('GETRANGE', KEYS[1], 0, 0)", "raises for foreign types"},
		{"redis.pcall('GETRANGE', KEYS[1], 0, 0)", "redis.pcall('EXISTS', KEYS[1])", "does not see a foreign type"},
		{"if type(head) == 'table' then", "if type(head) ~= 'table' then", "takes bytes for an error"},
		{"if type(head) == 'table' then", "if false then", "writes over a foreign type"},
		{"if string.find(head.err", "if not string.find(head.err", "takes every other error for a foreign type"},
		{"if string.find(head.err, 'WRONGTYPE', 1, true) then", "if true then", "takes every error for a foreign type"},
		{"    return 3\n", "    return 1\n", "tells a foreign type as applied"},
		{"  return head\n", "  return 1\n", "tells an error as applied"},
		{"  return head\n", "", "goes on after an error"},
		{"redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])", "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])", "raises"},
		{"ARGV[1], 'PX', ARGV[2])", "ARGV[1], 'EX', ARGV[2])", "takes milliseconds for seconds"},
		{"ARGV[1], 'PX', ARGV[2])", "ARGV[1])", "writes for ever"},
		{"ARGV[1], 'PX', ARGV[2])", "ARGV[1], 'KEEPTTL')", "keeps the old life"},
		{"ARGV[1], 'PX', ARGV[2])", "ARGV[1], 'PX', ARGV[2], 'XX')", "leaves no tombstone where nothing was"},
		{"ARGV[1], 'PX', ARGV[2])", "ARGV[1], 'PX', ARGV[2], 'NX')", "replaces no entry"},
		{"ARGV[1], 'PX', ARGV[2])", "ARGV[2], 'PX', ARGV[2])", "writes the life"},
		{"if done.err then", "if not done.err then", "tells an error as applied, and a write as none"},
		{"if done.err then", "if false then", "tells an error as applied"},
		{"  return done\n", "  return 3\n", "tells an error as a foreign type"},
		{"end\nreturn 1", "end\nreturn 0", "tells a write as none"},
	}
}
