-- Swaps a staged value in under a grant that has not been superseded, and ends it. Nothing of the value passes through here.
-- KEYS[1] entry      KEYS[2] its fence record      KEYS[3] staged value, all in one slot
-- ARGV[1] token                       ARGV[2] request
-- ARGV[3] observed digest, 32 bytes, or empty: the fence alone decides
-- ARGV[4] "1": revisions are ordered  ARGV[5] revision
-- ARGV[6] life of the value in milliseconds
-- ARGV[7] "1": an absent entry is as good as the observed one
-- Returns 1 applied, 0 something else is stored, 2 absent, 3 foreign type, 5 staged value lost, 6 superseded, 7 older than what is known. Nothing raises: an error reply comes
-- before the entry is touched. Whatever is not swapped in is unlinked.
local function leave(code)
  redis.pcall('UNLINK', KEYS[3])
  return code
end
local tail = redis.pcall('GETRANGE', KEYS[1], -32, -1)
if type(tail) == 'table' then
  if string.find(tail.err, 'WRONGTYPE', 1, true) then
    return leave(3)
  end
  return leave(tail)
end
local record = redis.pcall('HMGET', KEYS[2], 'token', 'request', 'revision')
if record.err then
  return leave(record)
end
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return leave(6)
end
if ARGV[4] == '1' and older(ARGV[5], known(KEYS[1], record[3])) then
  return leave(7)
end
if ARGV[3] ~= '' and tail == '' and ARGV[7] ~= '1' then
  return leave(2)
end
if ARGV[3] ~= '' and tail ~= '' and tail ~= ARGV[3] then
  return leave(0)
end
-- The life is set before the name, so that the entry is never there without it; RENAME keeps it.
local lives = redis.pcall('PEXPIRE', KEYS[3], ARGV[6])
if type(lives) == 'table' then
  return leave(lives)
end
if lives == 0 then
  return 5
end
local done
if tail == '' then
  -- A present empty string reads like an absent one; NX does not touch it.
  done = redis.pcall('RENAMENX', KEYS[3], KEYS[1])
  if done == 0 then
    return leave(0)
  end
else
  done = redis.pcall('RENAME', KEYS[3], KEYS[1])
end
if type(done) == 'table' and done.err then
  return leave(done)
end
-- A grant that cannot be ended runs out by itself.
redis.pcall('HSET', KEYS[2], 'expires', 0, 'revision', ARGV[5])
return 1
