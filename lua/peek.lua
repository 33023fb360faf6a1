#!lua flags=no-writes
-- Reports the state that a charge would find, and the reply that it would get. Charges nothing.
--
-- ARGV[1]  that of charge.lua, without settlement items
-- Reply    begins like that of charge.lua; for each charge 1 (it would be admitted) or 0, the
--          current numbers of its limits, and the numbers that the reply to the charge would have
-- include state
-- include slow-path
-- include read-request
-- include read-partitions
-- include counter-path
-- include packed

local NO_CHARGE = string.rep('\0', 6)
local single = counterPath()
local open, admits, adoptRate, report = single.open, single.admits, single.adoptRate, single.report

-- Appends the numbers of a counter that the reply to a charge would have. The counter stays
-- unchanged.
local function reportCharged(reply, n, limit, counter, now, cost, fits, admitted)
  local charged = {}
  for name, value in pairs(counter) do charged[name] = value end
  if charged.parts then charged.parts = { unpack(charged.parts) } end
  if cost > 0 and admitted and fits then
    slow().shapeOf(limit.shape).take(limit, charged, now, cost, NO_CHARGE)
  elseif cost > 0 and not admitted and limit.countDenied and not limit.shadow then
    slow().shapeOf(limit.shape).takeDenied(limit, charged, now, cost, NO_CHARGE)
  end
  return report(reply, n, limit, charged, now, cost, fits)
end

local reply, n = { clock, now, 0, 0 }, 5
local requests, counts
requests, offset = unpackBytes('<H', request, offset)
counts, offset = offset + 4, offset + 4 + (CHARGE_COUNT.BYTES + CHARGE_PENDING.BYTES) * requests
for r = 1, requests do
  local verdict, from, count, admitted, room = n, offset, string.byte(request, counts + r - 1), true, {}
  n = n + 1
  for i = 1, count do
    local s, cost
    s, cost, offset = unpackBytes(CHARGED_LIMIT.FORMAT, request, offset)
    local counter = open(s)
    local limit = counter.limit
    if limit.second then adoptRate(limit, counter, cost) end
    room[i] = admits(limit, counter, now, cost)
    if not room[i] and not limit.shadow then admitted = false end
    n = report(reply, n, limit, counter, now, cost, room[i])
  end
  for i = 1, count do
    local s, cost = unpackBytes(CHARGED_LIMIT.FORMAT, request, from + CHARGED_LIMIT.BYTES * (i - 1))
    local counter = counters[s]
    n = reportCharged(reply, n, counter.limit, counter, now, cost, room[i], admitted)
  end
  reply[verdict] = admitted and 1 or 0
end
return packed(reply, n - 1)
