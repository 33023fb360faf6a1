-- Functions of sliding windows, except the charge of a cost that fits (see
-- src/limiter/algorithms/sliding-window-counter.ts).

-- Returns the record and the time at which it is empty; nil when it is empty already.
local function packSliding(recordId, window, index, current, previous)
  if current <= 0 then
    if previous <= 0 then return nil end
    index, current, previous = index - 1, previous, 0
  end
  local emptyAt = (index + 2) * window
  return packBytes(SLIDING.FORMAT, KIND.SLIDING, recordId, emptyAt, window, current, previous), emptyAt
end

-- Returns id, window, index of the counted window, current and previous count.
local function readSliding(value, place)
  local _, recordId, emptyAt, window, current, previous = unpackBytes(SLIDING.FORMAT, value, place)
  return recordId, window, emptyAt / window - 2, current, previous
end

-- Changes the count of the window that contains `stamp`, if that window still counts. The maximum
-- fits into five bytes and stays exact when it is scaled.
local function changeSliding(limit, counter, now, difference, stamp)
  local window = limit.first
  local passed, maxCount = floor(now / window) - floor(stamp / window), min(MAX_COUNT, floor(MAX_UNITS / window))
  if passed == 0 then
    counter.used = correctCount(counter.used, difference, maxCount)
  elseif passed == 1 then
    counter.previous = correctCount(counter.previous, difference, maxCount)
  end
end

local function takeSliding(limit, counter, now, cost) changeSliding(limit, counter, now, cost, now) end

local sliding = {
  load = function(_, counter, value, place, now)
    counter.previous = 0
    if not place then return end
    local _, window, index, current, previous = readSliding(value, place)
    local passed = floor(now / window) - index
    if passed == 0 then
      counter.used, counter.previous = current, previous
    elseif passed == 1 then
      counter.previous = current
    end
  end,

  take = takeSliding,
  takeDenied = takeSliding,
  takeAgain = changeSliding,

  correct = function(limit, counter, now, stamp, _, charged, actual)
    changeSliding(limit, counter, now, actual - charged, stamp)
  end,

  reset = function(counter) counter.used, counter.previous = 0, 0 end,

  pack = function(limit, counter, now)
    return packSliding(limit.id, limit.first, floor(now / limit.first), counter.used, counter.previous)
  end,

  refundRecord = function(value, place, cost, stamp)
    local recordId, window, index, current, previous = readSliding(value, place)
    local passed = index - floor(stamp / window)
    if passed == 0 then current = max(0, current - cost) end
    if passed == 1 then previous = max(0, previous - cost) end
    return (packSliding(recordId, window, index, current, previous))
  end,

  rebaseRecord = function(value, place, from, to)
    local recordId, window, index, current, previous = readSliding(value, place)
    local passed = floor(from / window) - index
    if passed ~= 0 then current, previous = 0, passed == 1 and current or 0 end
    return (packSliding(recordId, window, floor(to / window), current, previous))
  end,
}
