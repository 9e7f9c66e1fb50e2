-- Tries what every script needs, after identity.lua: that scripts run, and may ask for the time. Takes no key, writes nothing.
-- Returns "<seconds> <microseconds> <identity>", or "- - <identity>" if TIME is refused.
local time = redis.pcall('TIME')
if type(time) ~= 'table' or time.err then
  time = {'-', '-'}
end
return time[1] .. ' ' .. time[2] .. ' ' .. identity()
