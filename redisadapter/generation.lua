-- Gives the region's generation, and begins a new one where it is asked for or where there is none: one that was lost must not come back.
-- KEYS[1] generation of the region
-- ARGV[1] "1": begin a new one        ARGV[2] marks the dispatch
-- Returns the generation. An error reply comes before any write.
local known = redis.pcall('GET', KEYS[1])
if type(known) == 'table' then
  return known
end
local last = tonumber(known) or 0
if not (last > 0 and last < 9007199254740991) then
  last = 0 -- no generation is written so, and none could follow it
end
if last > 0 and ARGV[1] ~= '1' then
  return string.format('%.0f', last)
end
local time = redis.pcall('TIME')
if time.err then
  return time
end
local next = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
local done = redis.pcall('SET', KEYS[1], next)
if done.err then
  return done
end
return next
