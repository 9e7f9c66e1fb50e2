-- Ends a live lease, on the server's own clock. The token stays, so that the next one is higher.
-- KEYS[1] lease record
-- ARGV[1] token
-- Returns "1" released, "2" superseded, "3" expired, "4" held as long as it may be, "0" what is stored is no lease record. An error reply comes before the
-- one write.
local time = redis.pcall('TIME')
if time.err then
  return time
end
local now = time[1] * 1000000 + time[2]
local record = redis.pcall('HMGET', KEYS[1], 'token', 'expires', 'limit')
if record.err then
  return record
end
if record[1] ~= ARGV[1] then
  return '2'
end
local expires = tonumber(record[2])
local limit = tonumber(record[3])
if not expires or not limit then
  return '0'
end
if now >= expires then
  return expires >= limit and '4' or '3'
end
-- And not the present, which would be ahead again where the clock goes back.
local done = redis.pcall('HSET', KEYS[1], 'expires', '0')
if type(done) == 'table' then
  return done
end
return '1'
