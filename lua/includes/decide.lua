-- Functions on single counters, for partitions that cannot be handled as one list of fields. The
-- functions take a limit and a counter, like those of src/limiter/algorithms/:
--   limit     the limit of the request (`limitAt`); it has a `second` only if it refills
--   counter   limit, used, and by shape: debt, amount and period (the rate); previous; parts;
--             entries and meanHold
--             place: where its record starts, if it has one; true for a bucket of `splitFields`
--             starts, ends: start and end of the counted period (calendar windows)
--             touched: whether it has to be written
--             moved: whether its rate was edited
-- `slow` contains the functions of the other shapes, and rarely needed functions of the shapes
-- here.

-- Returns where the record of counter s starts among the fields of partition k.
local function placeOf(k, s)
  local read, at = fields[k], 1 + HEADER.SIZE
  for _ = firstCounter[k], s - 1 do
    at = at + (read[at + RECORD.KIND] == KIND.FIXED and FIXED.SIZE or SLIDING.SIZE)
  end
  return at
end

-- Converts the fields of partition k to counters.
local function splitFields(k)
  local read, from, definitions = fields[k], firstCounter[k], definitionsOf[groupOf[k]]
  for i = 1, #definitions do
    local limit, at, counter = limitAt(definitions[i]), placeOf(k, from + i - 1), nil
    if limit.shape == KIND.BUCKET then
      counter = {
        limit = limit, place = true, touched = changed[k], used = read[at + BUCKET.TAKEN], debt = 0,
        amount = read[at + BUCKET.AMOUNT], period = read[at + BUCKET.PERIOD],
      }
    elseif limit.shape == KIND.SLIDING then
      counter = {
        limit = limit, touched = changed[k], used = read[at + SLIDING.CURRENT], previous = read[at + SLIDING.PREVIOUS],
      }
    else
      counter = { limit = limit, touched = changed[k], used = read[at + FIXED.COUNT], starts = nil, ends = nil }
      if limit.ends then
        local emptyAt = read[at + FIXED.EMPTY_AT]
        counter.starts, counter.ends = emptyAt - read[at + FIXED.WINDOW] + CALENDAR_MARK, emptyAt - limit.kept
      end
    end
    counters[from + i - 1] = counter
  end
  fields[k], split[k] = nil, true
  if tails[k] then
    values[k], hasPending[k] = string.sub(values[k], 1, bytesOf[groupOf[k]]) .. tails[k], true
    tails[k] = nil
  end
end

-- Returns counter s as a table; nil if there is none.
local function open(s)
  local counter = counters[s]
  if not counter and keyAt[s] then
    splitFields(keyAt[s])
    counter = counters[s]
  end
  return counter
end

-- Returns whether there is room for `cost`.
local function admits(limit, counter, now, cost)
  if cost == 0 then return true end
  local kind = limit.shape
  if kind == KIND.SLIDING then
    local sum, before = counter.used + cost, counter.previous
    if before > 0 then
      -- The previous window counts in proportion to its overlap with the sliding window, rounded
      -- up.
      local window = limit.first
      local scaled = before * (window - now % window)
      sum = sum + (scaled + -scaled % window) / window
    end
    return sum <= limit.capacity
  elseif kind == KIND.BUCKET then
    if cost > limit.capacity then return false end
    local period, taken = limit.second, counter.used + counter.debt
    local lacks = cost * period - (limit.capacity * period - taken)
    if limit.leaky and math.ceil(taken / limit.first) > MAX_DELAY_MS then return false end
    if lacks <= 0 then return true end
    if limit.maxDelayMs == 0 then return false end
    return math.ceil((limit.leaky and taken or lacks) / limit.first) <= limit.maxDelayMs
  elseif limit.second then
    return slow().shapeOf(kind).admits(limit, counter, now, cost)
  end
  return counter.used + cost <= limit.capacity
end

-- Adopts the rate of the limit if a rule edit has changed it. A charge with a cost writes the rate
-- even if the charge is denied. Otherwise the reported wait would be wrong.
local function adoptRate(limit, counter, cost)
  if counter.amount ~= limit.first or counter.period ~= limit.second then
    -- A full bucket has no used tokens that would refill at another rate.
    counter.moved = counter.place and counter.used + counter.debt > 0
    slow().shapeOf(limit.shape).adoptRate(limit, counter)
  end
  if cost > 0 and counter.moved then counter.touched = true end
end

-- Appends the numbers of one limit to the reply at n, and returns the next n.
-- src/limiter/charge/to-limit-states.ts reads them.
local function report(reply, n, limit, counter, now, cost, room)
  local kind, used = limit.shape, counter.used
  reply[n] = room and used or -1 - used
  if kind == KIND.SLIDING then
    reply[n + 1] = counter.previous
    return n + 2
  elseif kind == KIND.BUCKET then
    reply[n + 1] = counter.debt
    return n + 2
  elseif kind == KIND.FIXED then
    return n + 1
  end
  return slow().shapeOf(kind).report(reply, n, limit, counter, now, cost, room)
end
