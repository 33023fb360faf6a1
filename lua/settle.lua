#!lua
-- Corrects charges to what the operations really cost, ends pending charges, and empties counters.
--
-- ARGV[1]  at the end: number of items 2, then for each: what to do 1 (0 correct, 1 confirm, 2 cancel, 3 empty), slot 2, charged 4,
--          actual 4, time of the charge 6, charge id 6
-- Reply    packed: clock, time decided by, repaired keys, rebased keys
-- include shared.lua

local CONFIRM, CANCEL, RESET = 1, 2, 3

local items
items, offset = unpackBytes('<H', request, offset)
for _ = 1, items do
  local action, s, charged, actual, stamp, chargeId
  action, s, charged, actual, stamp, chargeId, offset = unpackBytes('<BHI4I4I6c6', request, offset)
  local d = definitionOf[s]
  if not d or charged > MAX_COST or actual > MAX_COST then
    return redis.error_reply('TOLLGATE a settlement has a bad slot or cost')
  end
  local kind, back = shape[d], charged - actual
  touched[s] = true
  if action == CONFIRM then
    rare().confirm(s, d, charged, stamp, chargeId)
  elseif action == CANCEL then
    rare().cancel(s, d, charged, stamp, chargeId)
  elseif action == RESET then
    rare().reset(s, d)
  elseif kind == BUCKET and back >= 0 and extra[s] == 0 then
    used[s] = math.max(0, used[s] - back * periodOf[s])
  elseif kind == SLIDING and back >= 0 and now - now % first[d] == stamp - stamp % first[d] then
    used[s] = math.max(0, used[s] - back)
  else
    rare().correct(s, d, stamp, chargeId, charged, actual)
  end
end
writeAll()
return packed({ clock, now, repaired, rebased }, 4)
