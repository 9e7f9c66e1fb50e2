-- Grants a lease to one request, on the server's own clock. lease_record.lua stands in front of it.
-- KEYS[1] lease record
-- ARGV[1] the servers that may grant
-- ARGV[2] request   ARGV[3] owner   ARGV[4] lease in microseconds   ARGV[5] how long it may be held in all, likewise
-- Returns "1 <token> <expires> <now>" granted, "2 <microseconds> <owner>" held by another request, "0" what is stored is no lease record, "stranger
-- <identity>" this server may not grant. An error reply comes before the one write. The record is never given a life: without it the order of tokens
-- would hang on the server's clock alone.
local seen = stranger(ARGV[1])
if seen then
  return 'stranger ' .. seen
end
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
  if record.request ~= ARGV[2] then
    return '2 ' .. string.format('%.0f', record.expires - now) .. ' ' .. record.owner
  end
  return '1 ' .. string.format('%.0f %.0f %.0f', record.token, record.expires, now)
end
if record.token == 9007199254740991 then
  return '0'
end
local token = string.format('%.0f', math.max(record.token + 1, now))
local expires = string.format('%.0f', now + math.min(ARGV[4], ARGV[5]))
local limit = string.format('%.0f', now + ARGV[5])
local done = redis.pcall('HSET', KEYS[1], 'token', token, 'owner', ARGV[3], 'expires', expires, 'request', ARGV[2], 'limit', limit)
if type(done) == 'table' then
  return done
end
return '1 ' .. token .. ' ' .. expires .. ' ' .. string.format('%.0f', now)
