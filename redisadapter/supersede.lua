-- Supersedes every grant of an entry, by itself. A fill needs its fence record: where there is none, there is nothing to supersede.
-- KEYS[1] fence record
-- ARGV[1] life of the record in milliseconds              ARGV[2] "1": leave one in any case
-- Returns 1. Nothing raises: an error reply comes before any write.
local token = redis.pcall('HMGET', KEYS[1], 'token')
if token.err then
  if string.find(token.err, 'WRONGTYPE', 1, true) then
    return 1
  end
  return token
end
if not token[1] and ARGV[2] ~= '1' then
  return 1
end
local time = redis.pcall('TIME')
if time.err then
  return time
end
local next = string.format('%.0f', math.max((tonumber(token[1]) or 0) + 1, time[1] * 1000000 + time[2]))
local issued = redis.pcall('HSET', KEYS[1], 'token', next, 'request', '', 'owner', '', 'expires', 0)
if type(issued) == 'table' then
  return issued
end
if type(redis.pcall('PEXPIRE', KEYS[1], ARGV[1])) == 'table' then
  redis.pcall('UNLINK', KEYS[1]) -- no key without an expiry, and one that is gone lets no fill in
end
return 1
