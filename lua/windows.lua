-- Included by rare.lua: strict windows, and corrections of all windows (as in src/limiter/algorithms/windows.ts).

-- Counts of the parts that a window ending at `time` can reach into, newest first, and their sum.
local function refreshStrict(window, time, at, counts)
  local partMs = ceil(window / STRICT_PARTS)
  local newest, oldest = floor(time / partMs), floor((time - window + 1) / partMs)
  local fresh, sum = {}, 0
  for back = 0, STRICT_PARTS do
    local count = newest - back >= oldest and counts[back - (newest - at) + 1] or 0
    fresh[back + 1] = count
    sum = sum + count
  end
  return fresh, sum
end

-- When a part is left behind by every window that ends then or later.
local function partEndsAt(window, index) return (index + 1) * ceil(window / STRICT_PARTS) + window - 1 end

local function newestPart(window, time) return floor(time / ceil(window / STRICT_PARTS)) end

-- When all parts have left, and how many empty ones stand in front; 0: all are empty.
local function strictEmptyAt(window, newest, counts)
  for back = 0, STRICT_PARTS do
    if counts[back + 1] > 0 then return partEndsAt(window, newest - back), back end
  end
  return 0, 0
end

local function packStrict(recordId, window, newest, counts)
  local emptyAt, skipped = strictEmptyAt(window, newest, counts)
  if emptyAt == 0 then return nil end
  local kept = {}
  for back = 0, STRICT_PARTS do kept[back + 1] = counts[back + skipped + 1] or 0 end
  local head = packBytes('<BI6I6I5', STRICT, recordId, emptyAt, window)
  return head .. packBytes(STRICT_FORMAT, unpack(kept)), emptyAt
end

-- Returns the newest part and the counts.
local function readStrict(value, place)
  local emptyAt, window, rest = unpackBytes('<I6I5', value, place + 7)
  local counts = { unpackBytes(STRICT_FORMAT, value, rest) }
  return (emptyAt - window + 1) / ceil(window / STRICT_PARTS) - 1, counts
end

local function loadStrict(s, d, value, place)
  local newest, counts = 0, {}
  if place then newest, counts = readStrict(value, place) end
  parts[s], used[s] = refreshStrict(first[d], now, newest, counts)
end

local function strictRetryAt(s, d, cost)
  local sum = used[s]
  for back = STRICT_PARTS, 0, -1 do
    sum = sum - parts[s][back + 1]
    if sum + cost <= capacity[d] then return partEndsAt(first[d], newestPart(first[d], now) - back) end
  end
  return 0
end

-- Changes the count of the window (or part) that `stamp` lies in, while it still counts; never below zero.
local function correctWindow(s, d, stamp, difference)
  local window = first[d]
  if shape[d] == STRICT then
    local back = newestPart(window, now) - newestPart(window, stamp)
    local count = parts[s][back + 1]
    if not count then return end
    parts[s][back + 1] = max(0, min(count + difference, MAX_COUNT))
    used[s] = used[s] + parts[s][back + 1] - count
    return
  end
  local most = shape[d] == SLIDING and min(MAX_COUNT, floor(MAX_UNITS / window)) or MAX_COUNT
  local passed = floor(now / window) - floor(stamp / window)
  if passed == 0 then
    used[s] = max(0, min(used[s] + difference, most))
  elseif passed == 1 and shape[d] == SLIDING then
    extra[s] = max(0, min(extra[s] + difference, most))
  end
end
