-- Replaces an entry that is still the one observed, whole value in one step.
-- KEYS[1] entry
-- ARGV[1] observed digest, 32 bytes   ARGV[2] "1": an absent entry is as good
-- ARGV[3] new value                   ARGV[4] its life in milliseconds
-- Returns 1 applied, 0 something else is stored, 2 absent, 3 foreign type, 4 no digest. Nothing raises: an error reply comes before any write.
if #ARGV[1] ~= 32 then
  return 4
end
local tail = redis.pcall('GETRANGE', KEYS[1], -32, -1)
if type(tail) == 'table' then
  if string.find(tail.err, 'WRONGTYPE', 1, true) then
    return 3
  end
  return tail
end
local done
if tail == ARGV[1] then
  done = redis.pcall('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
elseif tail ~= '' then
  return 0
elseif ARGV[2] ~= '1' then
  return 2
else
  -- A present empty string reads like an absent one; NX does not touch it.
  done = redis.pcall('SET', KEYS[1], ARGV[3], 'PX', ARGV[4], 'NX')
end
if type(done) ~= 'table' then
  return 0
end
if done.err then
  return done
end
return 1
