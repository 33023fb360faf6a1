-- Reads keys of several hash slots of this node one by one, because MGET accepts keys of one hash
-- slot only. If a hash slot or a key has moved, the script returns the error before it writes. The
-- call can then be repeated, one hash slot at a time.
values = {}
for k = 1, #KEYS do
  local value = redis.pcall('GET', KEYS[k])
  if type(value) == 'table' then
    if string.find(value.err, 'attempted to access', 1, true) then
      return redis.error_reply('ELSEWHERE a key of the call is not served here')
    end
    -- Like MGET, this loop ignores keys of another type.
    if not string.find(value.err, 'WRONGTYPE', 1, true) then return redis.error_reply(value.err) end
    value = false
  end
  values[k] = value
end
