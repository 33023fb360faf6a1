#!lua
-- Corrects charges to what the operations really cost.
--
-- ARGV[1]  at the end: number of corrections 2, then for each: slot 2, charged 4, actual 4, time of the charge 6,
--          charge id 6
-- Reply    clock, time decided by, repaired keys, rebased keys
-- include shared.lua

local corrections
corrections, offset = unpackBytes('<H', request, offset)
for _ = 1, corrections do
  local s, charged, actual, stamp, chargeId
  s, charged, actual, stamp, chargeId, offset = unpackBytes('<HI4I4I6c6', request, offset)
  local d = definitionOf[s]
  local kind, back = shape[d], charged - actual
  touched[s] = true
  if kind == BUCKET and back >= 0 and extra[s] == 0 then
    used[s] = math.max(0, used[s] - back * periodOf[s])
  elseif kind == SLIDING and back >= 0 and now - now % first[d] == stamp - stamp % first[d] then
    used[s] = math.max(0, used[s] - back)
  else
    rare().correct(s, d, stamp, chargeId, charged, actual)
  end
end
writeAll()
return { clock, now, repaired, rebased }
