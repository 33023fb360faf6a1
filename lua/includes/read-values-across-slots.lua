-- Keys of several slots of this node: MGET is for one. A slot that has moved, or whose key has, is told before anything is
-- written, so that the call can be made again, slot by slot.
values = {}
for k = 1, #KEYS do
  local value = redis.pcall('GET', KEYS[k])
  if type(value) == 'table' then
    if string.find(value.err, 'attempted to access', 1, true) then
      return redis.error_reply('ELSEWHERE a key of the call is not served here')
    end
    -- As MGET, which passes over keys of another type.
    if not string.find(value.err, 'WRONGTYPE', 1, true) then return redis.error_reply(value.err) end
    value = false
  end
  values[k] = value
end
