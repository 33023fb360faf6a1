-- Charges that wait for the slots of other keys, and what ends them.

-- Remembers a charge of this call as pending.
local function addPending(k, recordId, cost, chargeId, deadline)
  local record = packBytes(PENDING.FORMAT, KIND.PENDING, chargeId, deadline, recordId, cost, now)
  newPending[k] = (newPending[k] or '') .. record
end

-- Ends what is pending on a record, of one charge or (nil) of all: true when there was something.
local function endPending(k, recordId, chargeId)
  if not hasPending[k] then return false end
  local settled = settledPending[k] or {}
  settledPending[k] = settled
  local places = pendingPlaces(values[k], recordId, chargeId)
  for _, place in ipairs(places) do settled[place] = true end
  return #places > 0
end

-- The charge holds. Where it was refunded in the meantime, it is taken again, whatever room there is.
local function confirm(k, limit, counter, cost, stamp, chargeId)
  if limit.shape == KIND.LIST then
    shapeOf(KIND.LIST).confirm(limit, counter, now, cost, stamp, chargeId)
  elseif not endPending(k, limit.id, chargeId) then
    shapeOf(limit.shape).takeAgain(limit, counter, now, cost, stamp)
  end
end

-- Another slot has refused: everything is refunded, if it is still there.
local function cancel(k, limit, counter, cost, stamp, chargeId)
  if limit.shape == KIND.LIST then
    shapeOf(KIND.LIST).cancel(counter, chargeId)
  elseif endPending(k, limit.id, chargeId) then
    shapeOf(limit.shape).correct(limit, counter, now, stamp, chargeId, cost, 0)
  end
end

-- The counter is as if it had never been charged: nothing pending refunds anything to it later.
local function reset(k, limit, counter)
  shapeOf(limit.shape).reset(counter)
  endPending(k, limit.id, nil)
end
