#!lua
-- Takes every cost of a charge, or none. Several charges in one call are decided one after the other.
--
-- ARGV[1]  after the definitions: number of charges 2, then for each
--          number of limits 1, charge id 6, and for each limit: key 2, definition 2, cost 4
-- Reply    clock, time decided by, repaired keys, rebased keys; for each charge 1 (admitted) or 0, and its limits' numbers
-- include shared.lua

local keyOf, slotAt, definitionAt, costOf, room = {}, {}, {}, {}, {}

local function charge(reply, count, chargeId)
  local admitted = true
  for i = 1, count do
    local key, d, cost
    key, d, cost, offset = unpackBytes('<HHI4', request, offset)
    local s = load(key, d)
    keyOf[i], slotAt[i], definitionAt[i], costOf[i] = key, s, d, cost
    -- An edited rate is written even if nothing is charged, or the wait that is told now would not hold.
    if shape[d] == BUCKET and adoptRate(s, d) and cost > 0 and position[s] then touch(key, s) end
    room[i] = cost == 0 or admits(s, d, cost)
    if not room[i] and not shadow[d] then admitted = false end
  end
  reply[#reply + 1] = admitted and 1 or 0
  for i = 1, count do
    local s, d, cost = slotAt[i], definitionAt[i], costOf[i]
    if cost > 0 then
      if admitted then
        if room[i] then
          take(s, d, cost, chargeId)
          touch(keyOf[i], s)
        end
      elseif countDenied[d] and not shadow[d] then
        takeDenied(s, d, cost, chargeId)
        touch(keyOf[i], s)
      end
    end
    report(reply, s, d, cost, room[i])
  end
end

if not readDefinitions() then return redis.error_reply('TOLLGATE a limit has bad parameters') end
readPartitions()
local reply = { clock, now, 0, 0 }
local charges
charges, offset = unpackBytes('<H', request, offset)
for _ = 1, charges do
  local count, chargeId
  count, chargeId, offset = unpackBytes('<Bc6', request, offset)
  charge(reply, count, chargeId)
end
reply[3], reply[4] = repaired, rebased
writeAll()
return reply
