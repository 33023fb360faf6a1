-- Included by rare.lua: taking and correcting, whatever the shape (as in src/limiter/algorithms/algorithm.ts).

-- An entry that is pending ends with its deadline.
function R.take(s, d, cost, chargeId, pendingMs)
  if shape[d] ~= LIST then return correctWindow(s, d, now, cost) end
  local lastsMs = pendingMs > 0 and min(pendingMs, first[d]) or first[d]
  addEntry(s, now + lastsMs, cost, chargeId)
end

-- Counts an operation that was denied.
function R.takeDenied(s, d, cost, chargeId)
  if shape[d] == BUCKET then oweToBucket(s, d, cost) else R.take(s, d, cost, chargeId, 0) end
end

-- Corrects a charge made at `stamp`.
function R.correct(s, d, stamp, chargeId, charged, actual)
  local kind = shape[d]
  if kind == LIST then
    correctEntry(s, d, chargeId, actual)
  elseif kind ~= BUCKET then
    correctWindow(s, d, stamp, actual - charged)
  elseif actual > charged then
    oweToBucket(s, d, actual - charged)
  else
    giveBackToBucket(s, charged - actual)
  end
end

-- When it is empty, and when the cost fits.
function R.times(s, d, cost, room)
  if shape[d] == STRICT then
    local emptyAt = strictEmptyAt(first[d], newestPart(first[d], now), parts[s])
    return emptyAt, room and 0 or strictRetryAt(s, d, cost)
  end
  return listEmptyAt(s), room and 0 or listRetryAt(s, d, cost)
end
