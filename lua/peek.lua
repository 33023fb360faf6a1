#!lua flags=no-writes
-- What a charge would find, without charging.
--
-- ARGV[1]  as for charge.lua
-- Reply    as from charge.lua: for each charge whether it would be admitted, and its limits' numbers as they are; then the
--          numbers that a charge would reply
-- include state
-- include slow-path
-- include read-request
-- include read-partitions
-- include decide
-- include packed

local NO_CHARGE = string.rep('\0', 6)

-- What a charge would do to counter s, which stays as it is: appends the numbers that it would reply.
local function reportCharged(reply, n, s, d, cost, fits, admitted)
  local taken, debt, previous, text, counts = used[s], debtOf[s], previousOf[s], body[s], parts[s]
  if counts then parts[s] = { unpack(counts) } end
  if cost > 0 and admitted and fits then
    if shape[d] == KIND.BUCKET then used[s] = taken + cost * second[d] else slow().take(s, d, cost, NO_CHARGE, 0) end
  elseif cost > 0 and not admitted and countDenied[d] == 1 and shadow[d] == 0 then
    slow().takeDenied(s, d, cost, NO_CHARGE)
  end
  n = report(reply, n, s, d, cost, fits)
  used[s], debtOf[s], previousOf[s], body[s], parts[s] = taken, debt, previous, text, counts
  return n
end

local reply, n = { clock, now, 0, 0 }, 5
local requests, counts
requests, offset = unpackBytes('<H', request, offset)
counts, offset = offset + 2, offset + 2 + (CHARGE_COUNT.BYTES + CHARGE_PENDING.BYTES) * requests
for r = 1, requests do
  local verdict, from, count, admitted, room = n, offset, string.byte(request, counts + r - 1), true, {}
  n = n + 1
  for i = 1, count do
    local s, cost
    s, cost, offset = unpackBytes(CHARGED_LIMIT.FORMAT, request, offset)
    local d = open(s)
    if shape[d] == KIND.BUCKET then adoptRate(s, d, cost) end
    room[i] = admits(s, d, cost)
    if not room[i] and shadow[d] == 0 then admitted = false end
    n = report(reply, n, s, d, cost, room[i])
  end
  for i = 1, count do
    local s, cost = unpackBytes(CHARGED_LIMIT.FORMAT, request, from + CHARGED_LIMIT.BYTES * (i - 1))
    n = reportCharged(reply, n, s, definitionOf[s], cost, room[i], admitted)
  end
  reply[verdict] = admitted and 1 or 0
end
return packed(reply, n - 1)
