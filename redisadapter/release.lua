-- Ends the grant of a load that came to nothing, unless it is somebody else's by now.
-- KEYS[1] fence record
-- ARGV[1] token, or "0": whatever it is                   ARGV[2] request
-- Returns 1 ended, 6 superseded. Nothing raises: an error reply comes before any write.
local record = redis.pcall('HMGET', KEYS[1], 'token', 'request')
if record.err then
  return record
end
if record[2] ~= ARGV[2] or (ARGV[1] ~= '0' and record[1] ~= ARGV[1]) then
  return 6
end
local done = redis.pcall('HSET', KEYS[1], 'expires', 0)
if type(done) == 'table' then
  return done
end
return 1
