-- Goes in front of a script that grants something: tells whether this server is one that grants may be made on.
-- accepted is what Posture.GuardArgument gave: identities between spaces, or empty: every server.
-- Returns nil: it is; else the identity, or "-" if it cannot be told. Reads only.
local function identity()
  local server, replication = redis.pcall('INFO', 'server'), redis.pcall('INFO', 'replication')
  if type(server) ~= 'string' or type(replication) ~= 'string' then
    return '-'
  end
  local run, id = string.match(server, 'run_id:(%x+)'), string.match(replication, 'master_replid:(%x+)')
  if not run or not id then
    return '-'
  end
  local former = string.match(replication, 'master_replid2:(%x+)')
  if former and not string.find(former, '[^0]') then
    id = '-'
  end
  return run .. ':' .. id
end
local function stranger(accepted)
  if accepted == '' then
    return nil
  end
  local seen = identity()
  if string.find(accepted, ' ' .. seen .. ' ', 1, true) then
    return nil
  end
  return seen
end
