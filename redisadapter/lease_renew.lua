-- Lets a live lease end later, on the server's own clock. The token stays. lease_record.lua stands in front of it.
-- KEYS[1] lease record
-- ARGV[1] token   ARGV[2] lease in microseconds
-- Returns "1 <expires> <now>" renewed, "2" superseded, "3" expired, "4" held as long as it may be, "0" what is stored is no lease record. An error reply
-- comes before the one write.
local time = redis.pcall('TIME')
if time.err then
  return time
end
local now = time[1] * 1000000 + time[2]
local other, record = recorded()
if other then
  return other
end
if record.token == 0 or string.format('%.0f', record.token) ~= ARGV[1] then
  return '2'
end
if now >= record.expires then
  return record.expires >= record.limit and '4' or '3'
end
local expires = string.format('%.0f', math.min(now + ARGV[2], record.limit))
local done = redis.pcall('HSET', KEYS[1], 'expires', expires)
if type(done) == 'table' then
  return done
end
return '1 ' .. expires .. ' ' .. string.format('%.0f', now)
