-- Tells who holds a lease, on the server's own clock, and writes nothing.
-- KEYS[1] lease record
-- Returns "1 <token> <microseconds> <owner>" live, "2 <token>" unheld, "0" what is stored is no lease record.
local time = redis.pcall('TIME')
if time.err then
  return time
end
local now = time[1] * 1000000 + time[2]
local record = redis.pcall('HMGET', KEYS[1], 'token', 'expires', 'owner')
if record.err then
  return record
end
local token = tonumber(record[1] or '0')
local expires = tonumber(record[2] or '0')
if not token or not expires then
  return '0'
end
if token ~= 0 and now < expires then
  return '1 ' .. string.format('%.0f %.0f ', token, expires - now) .. (record[3] or '')
end
return '2 ' .. string.format('%.0f', token)
