-- Grants the load of a key to one request of the fleet, on the server's own clock.
-- KEYS[1] entry                       KEYS[2] its fence record, in the same slot
-- ARGV[1] request   ARGV[2] owner     ARGV[3] lease in milliseconds   ARGV[4] life of the record in milliseconds
-- ARGV[5] observed digest, 32 bytes, or empty: nothing was there      ARGV[6] "1": an absent entry is as good
-- Returns "1 <token>" granted, "2 <milliseconds>" held by another request, "3" the entry is another. An error reply comes before any write, but for
-- one to set the record's life, and then the record is gone.
local tail = redis.pcall('GETRANGE', KEYS[1], -32, -1)
if type(tail) == 'table' then
  if string.find(tail.err, 'WRONGTYPE', 1, true) then
    return '3'
  end
  return tail
end
if tail ~= ARGV[5] and not (tail == '' and ARGV[6] == '1') then
  return '3'
end
local time = redis.pcall('TIME')
if time.err then
  return time
end
local now = time[1] * 1000000 + time[2]
local record = redis.pcall('HMGET', KEYS[2], 'token', 'request', 'expires')
if record.err then
  return record
end
local token = tonumber(record[1]) or 0
local expires = tonumber(record[3]) or 0
if now < expires then
  if record[2] == ARGV[1] then
    return '1 ' .. string.format('%.0f', token)
  end
  return '2 ' .. string.format('%.0f', math.ceil((expires - now) / 1000))
end
token = string.format('%.0f', math.max(token + 1, now))
expires = string.format('%.0f', now + ARGV[3] * 1000)
local done = redis.pcall('HSET', KEYS[2], 'token', token, 'request', ARGV[1], 'owner', ARGV[2], 'expires', expires)
if type(done) == 'table' then
  return done
end
-- A record that an invalidation left may have longer to live: it remembers a revision.
local left = redis.pcall('PTTL', KEYS[2])
if type(left) ~= 'table' and left >= tonumber(ARGV[4]) then
  return '1 ' .. token
end
done = redis.pcall('PEXPIRE', KEYS[2], ARGV[4])
if type(done) == 'table' then
  redis.pcall('UNLINK', KEYS[2])
  return done
end
return '1 ' .. token
