-- Lets a live lease end later, on the server's own clock. The token stays.
-- KEYS[1] lease record
-- ARGV[1] token   ARGV[2] lease in microseconds
-- Returns "1 <expires> <now>" renewed, "2" superseded, "3" expired, "4" held as long as it may be, "0" what is stored is no lease record. An error reply
-- comes before the one write.
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
expires = string.format('%.0f', math.min(now + ARGV[2], limit))
local done = redis.pcall('HSET', KEYS[1], 'expires', expires)
if type(done) == 'table' then
  return done
end
return '1 ' .. expires .. ' ' .. string.format('%.0f', now)
