-- Goes in front of the scripts of leases: reads the record of KEYS[1] whole, and takes it for one only if it could have been written by them.
-- Whatever else lies there, put by another program or altered by hand, is left as it is: no number of it decides anything.
local function whole(text)
  local number = string.find(text or '', '^%d+$') and tonumber(text)
  if number and number <= 9007199254740991 and string.format('%.0f', number) == text then
    return number
  end
  return nil
end
-- Returns what to answer: an error reply, or "0": what is stored is no lease record; or nil and the record, with the token 0 where there is none.
local function recorded()
  local fields = redis.pcall('HMGET', KEYS[1], 'token', 'expires', 'limit', 'owner', 'request')
  if fields.err then
    return fields
  end
  if not fields[1] then
    local others = redis.pcall('HLEN', KEYS[1])
    if type(others) == 'table' then
      return others
    end
    if others > 0 then
      return '0'
    end
    return nil, {token = 0, expires = 0, limit = 0}
  end
  local record = {token = whole(fields[1]), expires = whole(fields[2]), limit = whole(fields[3]), owner = fields[4] or '', request = fields[5]}
  if not record.token or record.token < 1 or not record.expires or not record.limit or record.expires > record.limit then
    return '0'
  end
  if #record.owner > 64 or not string.find(record.owner, '^[A-Za-z0-9_.-]+$') then
    return '0'
  end
  return nil, record
end
