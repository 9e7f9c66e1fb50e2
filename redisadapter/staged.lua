-- Swaps a staged value in for an entry that is still the one observed. Nothing of the value passes through here.
-- KEYS[1] entry                       KEYS[2] staged value, in the same slot
-- ARGV[1] observed digest, 32 bytes   ARGV[2] "1": an absent entry is as good
-- ARGV[3] life of the value in milliseconds
-- Returns 1 applied, 0 something else is stored, 2 absent, 3 foreign type, 4 no digest, 5 staged value lost. Nothing raises: an error reply comes
-- before the entry is touched. Whatever is not swapped in is unlinked.
local function leave(code)
  redis.pcall('UNLINK', KEYS[2])
  return code
end
if #ARGV[1] ~= 32 then
  return leave(4)
end
local tail = redis.pcall('GETRANGE', KEYS[1], -32, -1)
if type(tail) == 'table' then
  if string.find(tail.err, 'WRONGTYPE', 1, true) then
    return leave(3)
  end
  return leave(tail)
end
if tail == '' and ARGV[2] ~= '1' then
  return leave(2)
end
if tail ~= '' and tail ~= ARGV[1] then
  return leave(0)
end
-- The life is set before the name, so that the entry is never there without it; RENAME keeps it.
local lives = redis.pcall('PEXPIRE', KEYS[2], ARGV[3])
if type(lives) == 'table' then
  return leave(lives)
end
if lives == 0 then
  return 5
end
local done
if tail == '' then
  -- A present empty string reads like an absent one; NX does not touch it.
  done = redis.pcall('RENAMENX', KEYS[2], KEYS[1])
  if done == 0 then
    return leave(0)
  end
else
  done = redis.pcall('RENAME', KEYS[2], KEYS[1])
end
if type(done) == 'table' and done.err then
  return leave(done)
end
return 1
