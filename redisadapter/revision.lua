-- Compares revisions where they are ordered: by their bytes, and not by the server's locale, as Lua would.
local function older(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then
      return x < y
    end
  end
  return #a < #b
end
-- The greatest revision that is known of an entry: its own, if it is a value of the present format, or what its fence record remembers.
local function known(entry, remembered)
  local greatest = remembered or ''
  local head = redis.pcall('GETRANGE', entry, 0, 160)
  if type(head) == 'string' and #head > 32 and string.sub(head, 1, 4) == 'CA\2\1' then
    local own = string.sub(head, 34, 33 + string.byte(head, 33))
    if older(greatest, own) then
      greatest = own
    end
  end
  return greatest
end
