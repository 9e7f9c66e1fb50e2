-- Stores what was loaded under a grant, if the grant has not been superseded, and ends it.
-- KEYS[1] entry                       KEYS[2] its fence record, in the same slot
-- ARGV[1] token                       ARGV[2] request
-- ARGV[3] observed digest, 32 bytes, or empty: the fence alone decides
-- ARGV[4] new value                   ARGV[5] its life in milliseconds
-- Returns 1 applied, 0 something else is stored, 2 absent, 3 foreign type, 6 superseded. Nothing raises: an error reply comes before any write.
local tail = redis.pcall('GETRANGE', KEYS[1], -32, -1)
if type(tail) == 'table' then
  if string.find(tail.err, 'WRONGTYPE', 1, true) then
    return 3
  end
  return tail
end
local record = redis.pcall('HMGET', KEYS[2], 'token', 'request')
if record.err then
  return record
end
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return 6
end
local done
if tail == '' then
  if ARGV[3] ~= '' then
    return 2
  end
  -- A present empty string reads like an absent one; NX does not touch it.
  done = redis.pcall('SET', KEYS[1], ARGV[4], 'PX', ARGV[5], 'NX')
elseif ARGV[3] ~= '' and ARGV[3] ~= tail then
  return 0
else
  done = redis.pcall('SET', KEYS[1], ARGV[4], 'PX', ARGV[5])
end
if type(done) ~= 'table' then
  return 0
end
if done.err then
  return done
end
-- A grant that cannot be ended runs out by itself.
redis.pcall('HSET', KEYS[2], 'expires', 0)
return 1
