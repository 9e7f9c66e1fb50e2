-- Tells who holds a lease, on the server's own clock, and writes nothing. lease_record.lua stands in front of it.
-- KEYS[1] lease record
-- Returns "1 <token> <microseconds> <owner>" live, "2 <token>" unheld, "0" what is stored is no lease record.
local time = redis.pcall('TIME')
if time.err then
  return time
end
local now = time[1] * 1000000 + time[2]
local other, record = recorded()
if other then
  return other
end
if now < record.expires then
  return '1 ' .. string.format('%.0f %.0f ', record.token, record.expires - now) .. record.owner
end
return '2 ' .. string.format('%.0f', record.token)
