#!lua flags=no-writes
-- What a charge would find, without charging.
--
-- ARGV[1]  as for charge.lua
-- Reply    as from charge.lua; the first number of each charge says whether it would be admitted
-- include state
-- include slow-path
-- include read-request
-- include read-partitions
-- include decide
-- include packed

local reply, n = { clock, now, 0, 0 }, 5
local requests, counts
requests, offset = unpackBytes('<H', request, offset)
counts, offset = offset + 2, offset + 2 + (CHARGE_COUNT.BYTES + CHARGE_PENDING.BYTES) * requests
for r = 1, requests do
  local verdict = n
  reply[verdict] = 1
  n = n + 1
  for _ = 1, string.byte(request, counts + r - 1) do
    local s, cost
    s, cost, offset = unpackBytes(CHARGED_LIMIT.FORMAT, request, offset)
    local d = open(s)
    if shape[d] == KIND.BUCKET then adoptRate(s, d, cost) end
    local fits = admits(s, d, cost)
    if not fits and shadow[d] == 0 then reply[verdict] = 0 end
    n = report(reply, n, s, d, cost, fits)
  end
end
return packed(reply, n - 1)
