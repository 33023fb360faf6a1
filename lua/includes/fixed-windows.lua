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

-- Calendar windows (see src/limiter/algorithms/calendar-window.ts) have the same records.

-- Returns the time from the start of a calendar window until its record is empty; nil for a fixed
-- window.
local function calendarLength(emptyAt, window)
  return window >= CALENDAR_MARK and emptyAt % window ~= 0 and window - CALENDAR_MARK or nil
end

-- Returns the start and the end of the window that a calendar counter counts at `now`, and its count.
local function refreshCalendar(limit, emptyAt, window, count, now)
  local ends = emptyAt - limit.kept
  if count > 0 and ends > now then return emptyAt - window + CALENDAR_MARK, min(ends, limit.ends), count end
  -- A period without usage lies between an older window and this one.
  if count <= 0 or ends < limit.starts then return limit.starts, limit.ends, 0 end
  if not limit.amount then return ends, limit.ends, 0 end
  local unused = limit.amount - max(0, min(count - limit.maxCarry, limit.amount))
  return ends, limit.ends, limit.maxCarry - min(limit.maxCarry, floor(unused * limit.percent / 100))
end

-- Changes the count of the window that contains `stamp`, if it is the current window.
local function changeFixed(limit, counter, now, difference, stamp)
  local window, isCurrent = limit.first, false
  if limit.ends then
    isCurrent = stamp >= counter.starts and stamp < counter.ends
  else
    isCurrent = floor(now / window) == floor(stamp / window)
  end
  if isCurrent then counter.used = correctCount(counter.used, difference, MAX_COUNT) end
end

local function takeFixed(limit, counter, now, cost) changeFixed(limit, counter, now, cost, now) end

local fixed = {
  load = function(limit, counter, value, place, now)
    if limit.ends then
      local emptyAt, window, count, _ = 0, 0, 0, nil
      if place then _, _, emptyAt, window, count = unpackBytes(FIXED.FORMAT, value, place) end
      counter.starts, counter.ends, counter.used = refreshCalendar(limit, emptyAt, window, count, now)
    elseif place then
      local _, _, _, count, isOver = readFixed(value, place, now)
      if not isOver then counter.used = count end
    end
  end,

  -- Updates the fields of a calendar window.
  refreshFields = function(limit, read, at, now)
    local starts, ends, count =
      refreshCalendar(limit, read[at + FIXED.EMPTY_AT], read[at + FIXED.WINDOW], read[at + FIXED.COUNT], now)
    local emptyAt = ends + limit.kept
    read[at + FIXED.EMPTY_AT], read[at + FIXED.WINDOW], read[at + FIXED.COUNT] = emptyAt, CALENDAR_MARK + emptyAt - starts, count
  end,

  take = takeFixed,
  takeDenied = takeFixed,
  takeAgain = changeFixed,

  correct = function(limit, counter, now, stamp, _, charged, actual)
    changeFixed(limit, counter, now, actual - charged, stamp)
  end,

  reset = function(counter) counter.used = 0 end,

  pack = function(limit, counter, now)
    if not limit.ends then return packFixed(limit.id, limit.first, floor(now / limit.first), counter.used) end
    if counter.used <= 0 then return nil end
    local emptyAt = counter.ends + limit.kept
    local window = CALENDAR_MARK + emptyAt - counter.starts
    return packBytes(FIXED.FORMAT, KIND.FIXED, limit.id, emptyAt, window, counter.used), emptyAt
  end,

  refundRecord = function(value, place, cost, stamp, time)
    local _, recordId, emptyAt, window, count = unpackBytes(FIXED.FORMAT, value, place)
    local length = calendarLength(emptyAt, window) or window
    if stamp >= emptyAt - length and stamp < emptyAt then count = count - cost end
    return count > 0 and packBytes(FIXED.FORMAT, KIND.FIXED, recordId, emptyAt, window, count) or nil
  end,

  rebaseRecord = function(value, place, from, to)
    local recordId, window, _, count, isOver = readFixed(value, place, from)
    if isOver then return nil end
    local emptyAt = unpackBytes(RECORD.FORMAT_OF_EMPTY_AT, value, place + RECORD.BYTE_OF_EMPTY_AT)
    local length = calendarLength(emptyAt, window)
    if not length then return (packFixed(recordId, window, floor(to / window), count)) end
    emptyAt = min(emptyAt, to + length)
    return packBytes(FIXED.FORMAT, KIND.FIXED, recordId, emptyAt, window, count)
  end,
}
