#!lua flags=no-writes
-- What a charge would find, without charging.
--
-- ARGV[1]  as for charge.lua
-- Reply    as from charge.lua; the first number of each charge says whether it would be admitted
-- include shared.lua

local function peek(reply, count)
  local verdict = #reply + 1
  reply[verdict] = 1
  for _ = 1, count do
    local key, d, cost
    key, d, cost, offset = unpackBytes('<HHI4', request, offset)
    local s = load(key, d)
    if shape[d] == BUCKET then adoptRate(s, d) end
    local room = cost == 0 or admits(s, d, cost)
    if not room and not shadow[d] then reply[verdict] = 0 end
    report(reply, s, d, cost, room)
  end
end

if not readDefinitions() then return redis.error_reply('TOLLGATE a limit has bad parameters') end
readPartitions()
local reply = { clock, now, 0, 0 }
local requests
requests, offset = unpackBytes('<H', request, offset)
for _ = 1, requests do
  local count, _
  count, _, offset = unpackBytes('<Bc6', request, offset)
  peek(reply, count)
end
return reply
