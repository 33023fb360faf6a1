-- Functions of fixed windows, except the charge of a cost that fits (see
-- src/limiter/algorithms/fixed-window.ts).

-- Returns the record and the time at which it is empty; nil when it is empty already.
local function packFixed(recordId, window, index, count)
  if count <= 0 then return nil end
  local emptyAt = (index + 1) * window
  return packBytes(FIXED.FORMAT, KIND.FIXED, recordId, emptyAt, window, count), emptyAt
end

-- Returns id, window, index of the counted window, count, and whether that window is over at
-- `time`.
local function readFixed(value, place, time)
  local _, recordId, emptyAt, window, count = unpackBytes(FIXED.FORMAT, value, place)
  return recordId, window, emptyAt / window - 1, count, emptyAt <= time
end

-- Changes the count of the window that contains `stamp`, if it is the current window.
local function changeFixed(limit, counter, now, difference, stamp)
  local window = limit.first
  if floor(now / window) == floor(stamp / window) then counter.used = correctCount(counter.used, difference, MAX_COUNT) end
end

local function takeFixed(limit, counter, now, cost) changeFixed(limit, counter, now, cost, now) end

local fixed = {
  load = function(_, counter, value, place, now)
    if not place then return end
    local _, _, _, count, isOver = readFixed(value, place, now)
    if not isOver then counter.used = count end
  end,

  take = takeFixed,
  takeDenied = takeFixed,
  takeAgain = changeFixed,

  correct = function(limit, counter, now, stamp, _, charged, actual)
    changeFixed(limit, counter, now, actual - charged, stamp)
  end,

  reset = function(counter) counter.used = 0 end,

  pack = function(limit, counter, now) return packFixed(limit.id, limit.first, floor(now / limit.first), counter.used) end,

  refundRecord = function(value, place, cost, stamp, time)
    local recordId, window, index, count = readFixed(value, place, time)
    if floor(stamp / window) == index then count = max(0, count - cost) end
    return (packFixed(recordId, window, index, count))
  end,

  rebaseRecord = function(value, place, from, to)
    local recordId, window, _, count, isOver = readFixed(value, place, from)
    return not isOver and packFixed(recordId, window, floor(to / window), count) or nil
  end,
}
