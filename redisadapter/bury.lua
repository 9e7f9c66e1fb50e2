-- Writes a tombstone over one entry, but over no value of another application.
-- KEYS[1] entry
-- ARGV[1] tombstone   ARGV[2] its life in milliseconds   ARGV[3] "1": also where nothing is
-- Returns 1 applied or nothing to bury, 3 foreign type. Nothing raises: an error reply comes before any write.
local head = redis.pcall('GETRANGE', KEYS[1], 0, 0)
if type(head) == 'table' then
  if string.find(head.err, 'WRONGTYPE', 1, true) then
    return 3
  end
  return head
end
if head == '' and ARGV[3] ~= '1' then
  return 1
end
local done = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if done.err then
  return done
end
return 1
