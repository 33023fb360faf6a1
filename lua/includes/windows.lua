-- Strict windows, and corrections of all windows (as in src/limiter/algorithms/windows.ts and strict-window.ts). A strict
-- window is its counts, newest part first.

local function newestPart(window, time) return floor(time / ceil(window / STRICT_PARTS)) end

-- When a part is left behind by every window that ends then or later.
local function partEndsAt(window, index) return (index + 1) * ceil(window / STRICT_PARTS) + window - 1 end

-- Counts of the parts that a window ending at `time` can reach into, and their sum; `newest` is the part that counts[1] is of.
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

-- When all parts have left, and how many empty ones stand in front; 0: all are empty.
local function strictEmptyAt(window, newest, counts)
  for back = 0, STRICT_PARTS do
    if counts[back + 1] > 0 then return partEndsAt(window, newest - back), back end
  end
  return 0, 0
end

-- When enough parts have left for `cost` to fit.
local function strictRetryAt(window, newest, counts, sum, cost, capacity)
  for back = STRICT_PARTS, 0, -1 do
    sum = sum - counts[back + 1]
    if sum + cost <= capacity then return partEndsAt(window, newest - back) end
  end
  return 0
end

-- The most that a window counts: five bytes hold it, and a sliding one stays exact when it is scaled.
local function maxCountOf(kind, window)
  return kind == KIND.SLIDING and min(MAX_COUNT, floor(MAX_UNITS / window)) or MAX_COUNT
end

-- A count that changes by `difference`; never below zero.
local function correctCount(count, difference, maxCount) return max(0, min(count + difference, maxCount)) end
