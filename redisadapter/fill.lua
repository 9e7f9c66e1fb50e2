-- Stores what was loaded under a grant, if the grant has not been superseded, and ends it.
-- KEYS[1] entry                       KEYS[2] its fence record, in the same slot
-- ARGV[1] token                       ARGV[2] request
-- ARGV[3] observed digest, 32 bytes, or empty: the fence alone decides
-- ARGV[4] "1": revisions are ordered  ARGV[5] revision
-- ARGV[6] new value                   ARGV[7] its life in milliseconds
-- ARGV[8] "1": an absent entry is as good as the observed one
-- Returns 1 applied, 0 something else is stored, 2 absent, 3 foreign type, 6 superseded, 7 older than what is known. Nothing raises: an error reply comes before any write.
local tail = redis.pcall('GETRANGE', KEYS[1], -32, -1)
if type(tail) == 'table' then
  if string.find(tail.err, 'WRONGTYPE', 1, true) then
    return 3
  end
  return tail
end
local record = redis.pcall('HMGET', KEYS[2], 'token', 'request', 'revision')
if record.err then
  return record
end
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return 6
end
if ARGV[4] == '1' and older(ARGV[5], known(KEYS[1], record[3])) then
  return 7
end
local done
if tail == '' then
  if ARGV[3] ~= '' and ARGV[8] ~= '1' then
    return 2
  end
  -- A present empty string reads like an absent one; NX does not touch it.
  done = redis.pcall('SET', KEYS[1], ARGV[6], 'PX', ARGV[7], 'NX')
elseif ARGV[3] ~= '' and ARGV[3] ~= tail then
  return 0
else
  done = redis.pcall('SET', KEYS[1], ARGV[6], 'PX', ARGV[7])
end
if type(done) ~= 'table' then
  return 0
end
if done.err then
  return done
end
-- A grant that cannot be ended runs out by itself.
redis.pcall('HSET', KEYS[2], 'expires', 0, 'revision', ARGV[5])
return 1
