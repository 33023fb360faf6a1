#!lua
-- Corrects charges to what the operations really cost, ends pending charges, and empties counters.
--
-- ARGV[1]  at the end: number of items 2, then for each: what to do 1 (0 correct, 1 confirm, 2 cancel, 3 empty), slot 2, charged 4,
--          actual 4, time of the charge 6, charge id 6
-- Reply    packed: clock, time decided by, repaired keys, rebased keys
-- include shared.lua

local CORRECT, CONFIRM, CANCEL, RESET = 0, 1, 2, 3

local items
items, offset = unpackBytes('<H', request, offset)
for _ = 1, items do
  local action, s, charged, actual, stamp, chargeId
  action, s, charged, actual, stamp, chargeId, offset = unpackBytes('<BHI4I4I6c6', request, offset)
  local k, back = keyAt[s], charged - actual
  if not k or charged > MAX_COST or actual > MAX_COST then
    return redis.error_reply('TOLLGATE a settlement has a bad slot or cost')
  end
  -- Most give something back to where it was taken from.
  local read, isSimple = fields[k], false
  if read and action == CORRECT and back >= 0 then
    local at = placesOf[groupOf[k]][s - firstSlot[k] + 1]
    local window = read[at + 3]
    if read[at] == BUCKET then
      read[at + 5] = math.max(0, read[at + 5] - back * read[at + 4])
      isSimple = true
    elseif read[at] == SLIDING and now - now % window == stamp - stamp % window then
      read[at + 4] = math.max(0, read[at + 4] - back)
      isSimple = true
    end
  end
  if isSimple then
    changed[k], stale[k] = true, true
  else
    local d = open(s)
    touched[s] = true
    if action == CONFIRM then
      rare().confirm(s, d, charged, stamp, chargeId)
    elseif action == CANCEL then
      rare().cancel(s, d, charged, stamp, chargeId)
    elseif action == RESET then
      rare().reset(s, d)
    else
      rare().correct(s, d, stamp, chargeId, charged, actual)
    end
  end
end
-- include write-all.lua
return packed({ clock, now, repaired, rebased }, 4)
