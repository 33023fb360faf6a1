-- What the slow path does with a counter `s` of definition `d`, whatever its shape (as in src/limiter/algorithms/): the
-- functions above, with the state of this call.

-- Goes over to the rate of definition d.
function slowPath.adoptRate(s, d)
  used[s] = rescale(used[s], periodOf[s], second[d])
  debtOf[s] = rescale(debtOf[s], periodOf[s], second[d])
  amountOf[s], periodOf[s] = first[d], second[d]
end

local function overdrawCounter(s, d, tokens)
  local period = periodOf[s]
  used[s], debtOf[s] = overdraw(used[s], debtOf[s], tokens * period, capacity[d] * period, maxDebt[d] * period)
end

-- Changes the count of the window (or part) that `stamp` lies in, while it still counts.
local function correctWindow(s, d, stamp, difference)
  local kind, window = shape[d], first[d]
  local maxCount = maxCountOf(kind, window)
  if kind == KIND.STRICT then
    local back = newestPart(window, now) - newestPart(window, stamp)
    local count = parts[s][back + 1]
    if not count then return end
    parts[s][back + 1] = correctCount(count, difference, maxCount)
    used[s] = used[s] + parts[s][back + 1] - count
    return
  end
  local passed = floor(now / window) - floor(stamp / window)
  if passed == 0 then
    used[s] = correctCount(used[s], difference, maxCount)
  elseif passed == 1 and kind == KIND.SLIDING then
    previousOf[s] = correctCount(previousOf[s], difference, maxCount)
  end
end

local function addToList(s, endsAt, cost, chargeId)
  local grown
  body[s], grown = addEntry(body[s], endsAt, cost, chargeId)
  used[s] = used[s] + grown
end

local function correctInList(s, chargeId, cost)
  local grown
  body[s], grown = correctEntry(body[s], chargeId, cost)
  used[s] = used[s] + grown
end

-- An entry that is pending ends with its deadline.
function slowPath.take(s, d, cost, chargeId, pendingMs)
  if shape[d] ~= KIND.LIST then return correctWindow(s, d, now, cost) end
  local lastsMs = pendingMs > 0 and min(pendingMs, first[d]) or first[d]
  addToList(s, now + lastsMs, cost, chargeId)
end

-- Counts an operation that was denied.
function slowPath.takeDenied(s, d, cost, chargeId)
  if shape[d] == KIND.BUCKET then overdrawCounter(s, d, cost) else slowPath.take(s, d, cost, chargeId, 0) end
end

-- Corrects a charge made at `stamp`.
function slowPath.correct(s, d, stamp, chargeId, charged, actual)
  local kind = shape[d]
  if kind == KIND.LIST then
    correctInList(s, chargeId, leases[d] == 1 and 0 or actual)
  elseif kind ~= KIND.BUCKET then
    correctWindow(s, d, stamp, actual - charged)
  elseif actual > charged then
    overdrawCounter(s, d, actual - charged)
  else
    used[s], debtOf[s] = refund(used[s], debtOf[s], (charged - actual) * periodOf[s])
  end
end

-- When it is empty, and when the cost fits.
function slowPath.times(s, d, cost, room)
  if shape[d] == KIND.STRICT then
    local window, newest = first[d], newestPart(first[d], now)
    local emptyAt = strictEmptyAt(window, newest, parts[s])
    return emptyAt, room and 0 or strictRetryAt(window, newest, parts[s], used[s], cost, capacity[d])
  end
  return listEmptyAt(body[s]), room and 0 or listRetryAt(body[s], used[s], cost, capacity[d], leases[d] == 1)
end

-- Remembers a charge of this call as pending.
function slowPath.addPending(s, d, cost, chargeId, deadline)
  local k = keyAt[s]
  local record = packBytes(PENDING.FORMAT, KIND.PENDING, chargeId, deadline, id[d], cost, now)
  newPending[k] = (newPending[k] or '') .. record
end

-- Ends what is pending on a counter, of one charge or (nil) of all: true when there was something.
local function endPending(s, d, chargeId)
  local k = keyAt[s]
  if not hasPending[k] then return false end
  local settled = settledPending[k] or {}
  settledPending[k] = settled
  local places = pendingPlaces(values[k], id[d], chargeId)
  for _, place in ipairs(places) do settled[place] = true end
  return #places > 0
end

-- The charge holds. Where it was refunded in the meantime, it is taken again, whatever room there is.
function slowPath.confirm(s, d, cost, stamp, chargeId)
  if shape[d] == KIND.LIST then
    correctInList(s, chargeId, 0)
    if stamp + first[d] > now then addToList(s, stamp + first[d], cost, chargeId) end
  elseif not endPending(s, d, chargeId) then
    if shape[d] == KIND.BUCKET then used[s] = used[s] + cost * periodOf[s] else correctWindow(s, d, stamp, cost) end
  end
end

-- Another slot has refused: everything is refunded, if it is still there.
function slowPath.cancel(s, d, cost, stamp, chargeId)
  if shape[d] == KIND.LIST then
    correctInList(s, chargeId, 0)
  elseif endPending(s, d, chargeId) then
    slowPath.correct(s, d, stamp, chargeId, cost, 0)
  end
end

-- The counter is as if it had never been charged: nothing pending refunds anything to it later.
function slowPath.reset(s, d)
  used[s], debtOf[s], previousOf[s] = 0, 0, 0
  if shape[d] == KIND.LIST then body[s] = '' end
  if shape[d] == KIND.STRICT then
    for back = 1, STRICT_PARTS + 1 do parts[s][back] = 0 end
  end
  endPending(s, d, nil)
end
