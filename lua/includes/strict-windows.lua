-- Strict windows (see src/limiter/algorithms/strict-window.ts): counts of their parts, newest
-- first.

local function newestPart(window, time) return floor(time / ceil(window / STRICT_PARTS)) end

-- Returns the first time at which a part no longer overlaps the window that ends at that time.
local function partEndsAt(window, index) return (index + 1) * ceil(window / STRICT_PARTS) + window - 1 end

-- Returns the counts of the parts in a window that ends at `time`, and their sum. `newest` is the
-- part of counts[1].
local function refreshStrict(window, time, newest, counts)
  local now, oldest = newestPart(window, time), floor((time - window + 1) / ceil(window / STRICT_PARTS))
  local fresh, sum = {}, 0
  for back = 0, STRICT_PARTS do
    local count = now - back >= oldest and counts[back - (now - newest) + 1] or 0
    fresh[back + 1] = count
    sum = sum + count
  end
  return fresh, sum
end

-- Returns the time at which all parts have left the window, and the number of empty parts at the
-- front. Returns 0 if all parts are empty.
local function strictEmptyAt(window, newest, counts)
  for back = 0, STRICT_PARTS do
    if counts[back + 1] > 0 then return partEndsAt(window, newest - back), back end
  end
  return 0, 0
end

-- Returns the time at which enough parts have left the window for `cost` to fit.
local function strictRetryAt(window, newest, counts, sum, cost, capacity)
  for back = STRICT_PARTS, 0, -1 do
    sum = sum - counts[back + 1]
    if sum + cost <= capacity then return partEndsAt(window, newest - back) end
  end
  return 0
end

-- Returns the record and the time at which it is empty; nil when it is empty already.
local function packStrict(recordId, window, newest, counts)
  local emptyAt, skipped = strictEmptyAt(window, newest, counts)
  if emptyAt == 0 then return nil end
  local kept = {}
  for back = 0, STRICT_PARTS do kept[back + 1] = counts[back + skipped + 1] or 0 end
  local head = packBytes(STRICT_HEAD.FORMAT, KIND.STRICT, recordId, emptyAt, window)
  return head .. packBytes(PARTS.FORMAT, unpack(kept)), emptyAt
end

-- Returns id, window, index of the newest part, and counts.
local function readStrict(value, place)
  local _, recordId, emptyAt, window, rest = unpackBytes(STRICT_HEAD.FORMAT, value, place)
  local counts = { unpackBytes(PARTS.FORMAT, value, rest) }
  return recordId, window, (emptyAt - window + 1) / ceil(window / STRICT_PARTS) - 1, counts
end

-- Changes the count of the part that contains `stamp`, if that part still counts.
local function changeStrict(limit, counter, now, difference, stamp)
  local parts, back = counter.parts, newestPart(limit.first, now) - newestPart(limit.first, stamp)
  local count = parts[back + 1]
  if not count then return end
  parts[back + 1] = correctCount(count, difference, MAX_COUNT)
  counter.used = counter.used + parts[back + 1] - count
end

local function takeStrict(limit, counter, now, cost) changeStrict(limit, counter, now, cost, now) end

local strict = {
  load = function(limit, counter, value, place, now)
    local newest, counts, _ = 0, {}, nil
    if place then _, _, newest, counts = readStrict(value, place) end
    counter.parts, counter.used = refreshStrict(limit.first, now, newest, counts)
  end,

  take = takeStrict,
  takeDenied = takeStrict,
  takeAgain = changeStrict,

  correct = function(limit, counter, now, stamp, _, charged, actual)
    changeStrict(limit, counter, now, actual - charged, stamp)
  end,

  reset = function(counter)
    counter.used = 0
    for back = 1, STRICT_PARTS + 1 do counter.parts[back] = 0 end
  end,

  -- Appends, after the sum, the time at which the window is empty and the time at which the cost
  -- fits.
  report = function(reply, n, limit, counter, now, cost, room)
    local window, newest = limit.first, newestPart(limit.first, now)
    local emptyAt = strictEmptyAt(window, newest, counter.parts)
    reply[n + 1] = emptyAt
    reply[n + 2] = room and 0 or strictRetryAt(window, newest, counter.parts, counter.used, cost, limit.capacity)
    return n + 3
  end,

  pack = function(limit, counter, now)
    local record, emptyAt = packStrict(limit.id, limit.first, newestPart(limit.first, now), counter.parts)
    -- A late settlement may have corrected a part that is no longer in the window.
    if record and emptyAt > now then return record, emptyAt end
  end,

  refundRecord = function(value, place, cost, stamp)
    local recordId, window, newest, counts = readStrict(value, place)
    local back = newest - newestPart(window, stamp) + 1
    if counts[back] then counts[back] = max(0, counts[back] - cost) end
    return (packStrict(recordId, window, newest, counts))
  end,

  rebaseRecord = function(value, place, from, to)
    local recordId, window, newest, counts = readStrict(value, place)
    return (packStrict(recordId, window, newestPart(window, to), (refreshStrict(window, from, newest, counts))))
  end,
}
