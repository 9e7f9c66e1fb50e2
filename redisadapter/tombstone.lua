-- Writes a tombstone over whatever entry is there, but over no value of another application, and supersedes every grant.
-- KEYS[1] entry      KEYS[2] the entry that processes of the other mode use      KEYS[3] fence record, all in one slot
-- ARGV[1] tombstone                   ARGV[2] its life in milliseconds
-- ARGV[3] tombstone for KEYS[2]       ARGV[4] "1": KEYS[1] is the fenced one
-- Returns 1 applied, 3 foreign type. Nothing raises: an error reply comes before any write to KEYS[1].
local head = redis.pcall('GETRANGE', KEYS[1], 0, 0)
if type(head) == 'table' then
  if string.find(head.err, 'WRONGTYPE', 1, true) then
    return 3
  end
  return head
end
local fenced = ARGV[4] == '1'
-- A fill needs its fence record, so that where there is none there is nothing to supersede; a fenced process leaves one all the same, from which the
-- tokens go on, and so does whoever buries a revision that must not be forgotten. One of another type lets no fill in either.
local record = redis.pcall('HMGET', KEYS[3], 'token', 'revision')
if record.err and not string.find(record.err, 'WRONGTYPE', 1, true) then
  return record
end
local revision = record.err and '' or known(fenced and KEYS[1] or KEYS[2], record[2])
if not record.err and (record[1] or fenced or revision ~= '') then
  local time = redis.pcall('TIME')
  if time.err then
    return time
  end
  local token = string.format('%.0f', math.max((tonumber(record[1]) or 0) + 1, time[1] * 1000000 + time[2]))
  local issued = redis.pcall('HSET', KEYS[3], 'token', token, 'request', '', 'owner', '', 'expires', 0, 'revision', revision)
  if type(issued) == 'table' then
    return issued
  end
  if type(redis.pcall('PEXPIRE', KEYS[3], ARGV[2])) == 'table' then
    redis.pcall('UNLINK', KEYS[3]) -- no key without an expiry, and one that is gone lets no fill in
  end
end
-- A process without fences may have a fill on its way to an absent entry; one with them has its grant.
local other = redis.pcall('GETRANGE', KEYS[2], 0, 0)
if type(other) ~= 'table' and (fenced or other ~= '') then
  other = redis.pcall('SET', KEYS[2], ARGV[3], 'PX', ARGV[2])
  if other.err then
    return other
  end
end
local done = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if done.err then
  return done
end
return 1
