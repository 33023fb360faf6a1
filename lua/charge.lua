#!lua
-- Takes every cost of a charge, or none. Several charges in one call are decided one after the other.
--
-- ARGV[1]  at the end: number of charges 2, then for each: number of limits 1, charge id 6, milliseconds for which
--          it stays pending (0: it holds at once) 4, and for each limit: slot 2, cost 4
-- Reply    packed: clock, time decided by, repaired keys, rebased keys; for each charge 1 (admitted) or 0, and its limits' numbers
-- include shared.lua

local reply, n = { clock, now, 0, 0 }, 5
local room, formats = {}, {}
local charges
charges, offset = unpackBytes('<H', request, offset)
for _ = 1, charges do
  local count, chargeId, pendingMs = unpackBytes('<Bc6I4', request, offset)
  local format = formats[count] or '<' .. string.rep('HI4', count)
  formats[count] = format
  local limits = { unpackBytes(format, request, offset + 11) }
  offset = offset + 11 + 6 * count
  -- Most charges fit everywhere: they are taken limit by limit, and given back when one of them is not that simple.
  local verdict, stop = n, pendingMs == 0 and count + 1 or 1
  reply[n] = 1
  n = n + 1
  for i = 1, stop - 1 do
    local s, cost = limits[i * 2 - 1], limits[i * 2]
    local d = definitionOf[s]
    if not d or cost > MAX_COST then return redis.error_reply('TOLLGATE a charge has a bad slot or cost') end
    local kind, sum = shape[d], nil
    if cost > 0 then
      if kind == BUCKET then
        local period = second[d]
        sum = used[s] + cost * period
        if periodOf[s] ~= period or amountOf[s] ~= first[d] or sum + extra[s] > capacity[d] * period then sum = nil end
      elseif kind == FIXED or kind == SLIDING then
        sum = used[s] + cost
        if sum > capacity[d] or kind == SLIDING and extra[s] > 0 and not admits(s, d, cost) then sum = nil end
      end
    end
    if not sum then
      stop = i
      break
    end
    room[i] = touched[s] or false
    touched[s], used[s], reply[n] = true, sum, sum
    n = n + 1
    if kind ~= FIXED then
      reply[n] = extra[s]
      n = n + 1
    end
  end
  if stop <= count then
    for i = 1, stop - 1 do
      local s, cost = limits[i * 2 - 1], limits[i * 2]
      local d = definitionOf[s]
      touched[s], used[s] = room[i], used[s] - (shape[d] == BUCKET and cost * second[d] or cost)
    end
    local admitted = true
    for i = 1, count do
      local s, cost = limits[i * 2 - 1], limits[i * 2]
      local d = definitionOf[s]
      if not d or cost > MAX_COST then return redis.error_reply('TOLLGATE a charge has a bad slot or cost') end
      if shape[d] == BUCKET and (amountOf[s] ~= first[d] or periodOf[s] ~= second[d]) then adoptRate(s, d, cost) end
      room[i] = admits(s, d, cost)
      if not room[i] and shadow[d] == 0 then admitted = false end
    end
    reply[verdict], n = admitted and 1 or 0, verdict + 1
    for i = 1, count do
      local s, cost, fits = limits[i * 2 - 1], limits[i * 2], room[i]
      local d = definitionOf[s]
      local kind = shape[d]
      if cost > 0 then
        if admitted then
          if fits then
            touched[s] = true
            if kind == SLIDING or kind == FIXED then
              used[s] = used[s] + cost
            elseif kind == BUCKET then
              used[s] = used[s] + cost * second[d]
            else
              rare().take(s, d, cost, chargeId, pendingMs)
            end
            if pendingMs > 0 and kind ~= LIST then rare().addPending(s, d, cost, chargeId, now + pendingMs) end
          end
        elseif countDenied[d] == 1 and shadow[d] == 0 then
          touched[s] = true
          rare().takeDenied(s, d, cost, chargeId)
        end
      end
      n = report(reply, n, s, d, cost, fits)
    end
  end
end
reply[3], reply[4] = repaired, rebased
writeAll()
return packed(reply, n - 1)
