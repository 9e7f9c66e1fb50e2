-- Stores what has just been written to the source, unless something newer is known, and supersedes every grant.
-- KEYS[1] entry      KEYS[2] its fence record      KEYS[3] the entry that processes without fences use, all in one slot
-- ARGV[1] new value                   ARGV[2] its life in milliseconds
-- ARGV[3] its revision                ARGV[4] life of the fence record in milliseconds
-- ARGV[5] tombstone for KEYS[3]
-- Returns 1 applied, 3 foreign type, 7 older. Nothing raises: an error reply comes before any write to KEYS[1].
local head = redis.pcall('GETRANGE', KEYS[1], 0, 0)
if type(head) == 'table' then
  if string.find(head.err, 'WRONGTYPE', 1, true) then
    return 3
  end
  return head
end
local record = redis.pcall('HMGET', KEYS[2], 'token', 'revision')
if record.err then
  return record
end
-- Processes without fences know of no order: what they have may be older than both.
local function buryOther()
  if type(redis.pcall('GETRANGE', KEYS[3], 0, 0)) == 'table' then
    return nil
  end
  local other = redis.pcall('SET', KEYS[3], ARGV[5], 'PX', ARGV[4])
  return other.err and other
end
if older(ARGV[3], known(KEYS[1], record[2])) then
  return buryOther() or 7
end
local time = redis.pcall('TIME')
if time.err then
  return time
end
local token = string.format('%.0f', math.max((tonumber(record[1]) or 0) + 1, time[1] * 1000000 + time[2]))
local issued = redis.pcall('HSET', KEYS[2], 'token', token, 'request', '', 'owner', '', 'expires', 0, 'revision', ARGV[3])
if type(issued) == 'table' then
  return issued
end
if type(redis.pcall('PEXPIRE', KEYS[2], ARGV[4])) == 'table' then
  redis.pcall('UNLINK', KEYS[2]) -- no key without an expiry, and one that is gone lets no fill in
end
local refused = buryOther()
if refused then
  return refused
end
local done = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if done.err then
  return done
end
return 1
