-- Functions of buckets, except the charge of a cost that fits (see
-- src/limiter/algorithms/token-bucket.ts). `taken` and the debt are in units of 1 / period token.

-- Converts units of 1/from to units of 1/to, rounded up. If the product exceeds the exact integers,
-- one more unit covers the rounding error.
local function rescale(units, from, to)
  if from == to or units == 0 then return units end
  local tokens = floor(units / from)
  local rest = (units - tokens * from) * to
  local part = ceil(rest / from)
  if rest > 2 ^ 53 then part = min(to, part + 1) end
  return min(MAX_UNITS, tokens * to + part)
end

-- Charges units that were not admitted. Units that exceed the available tokens become debt, at most
-- `maxDebtUnits`. Tokens that delayed operations have reserved do not count towards this maximum.
local function overdraw(taken, debt, units, capacityUnits, maxDebtUnits)
  local fitting = min(units, max(0, capacityUnits - taken))
  return taken + fitting, max(debt, min(min(MAX_UNITS, maxDebtUnits), debt + units - fitting))
end

-- Refunds units, debt first.
local function refund(taken, debt, units)
  local paid = min(debt, units)
  return max(0, taken - (units - paid)), debt - paid
end

-- Returns `taken` and the debt at `time`, of a record that would be empty at `emptyAt`.
local function refill(taken, debt, amount, emptyAt, time)
  local refilled = max(0, time - (emptyAt - ceil((taken + debt) / amount))) * amount
  return refund(taken, debt, refilled)
end

-- Returns the record and the time at which it is empty; nil when it is empty already.
local function packBucket(recordId, amount, period, at, taken, debt)
  if taken + debt <= 0 then return nil end
  local emptyAt = at + ceil((taken + debt) / amount)
  if debt > 0 then
    return packBytes(BUCKET_IN_DEBT.FORMAT, KIND.BUCKET_IN_DEBT, recordId, emptyAt, amount, period, taken, debt), emptyAt
  end
  return packBytes(BUCKET.FORMAT, KIND.BUCKET, recordId, emptyAt, amount, period, taken), emptyAt
end

-- Returns id, refill amount, refill period, `taken` and debt at `time`, and the time at which the
-- record is empty.
local function readBucket(value, place, time)
  local _, recordId, emptyAt, amount, period, taken, debt
  if byte(value, place) == KIND.BUCKET_IN_DEBT then
    _, recordId, emptyAt, amount, period, taken, debt = unpackBytes(BUCKET_IN_DEBT.FORMAT, value, place)
  else
    _, recordId, emptyAt, amount, period, taken = unpackBytes(BUCKET.FORMAT, value, place)
    debt = 0
  end
  taken, debt = refill(taken, debt, amount, emptyAt, time)
  return recordId, amount, period, taken, debt, emptyAt
end

-- Counts a denied operation, or an actual cost above the charged one.
local function overdrawCounter(limit, counter, _, cost)
  local period = counter.period
  counter.used, counter.debt =
    overdraw(counter.used, counter.debt, cost * period, limit.capacity * period, limit.maxDebt * period)
end

local function takeTokens(_, counter, _, cost) counter.used = counter.used + cost * counter.period end

local bucket = {
  load = function(limit, counter, value, place, now)
    counter.debt, counter.amount, counter.period = 0, limit.first, limit.second
    if not place then return end
    local _, amount, period, taken, debt, emptyAt = readBucket(value, place, now)
    -- Even a full bucket keeps its stored rate, because the limit of a settlement may be older and
    -- have another rate.
    counter.amount, counter.period = amount, period
    if emptyAt > now then counter.used, counter.debt = taken, debt end
  end,

  adoptRate = function(limit, counter)
    -- At a slower new rate, the used tokens could refill later than a record can store.
    local most = limit.first * 2 * MAX_FILL_MS
    counter.used = min(most, rescale(counter.used, counter.period, limit.second))
    counter.debt = min(most, rescale(counter.debt, counter.period, limit.second))
    counter.amount, counter.period = limit.first, limit.second
  end,

  take = takeTokens,
  takeAgain = takeTokens,
  takeDenied = overdrawCounter,

  correct = function(limit, counter, now, _, _, charged, actual)
    if actual > charged then return overdrawCounter(limit, counter, now, actual - charged) end
    counter.used, counter.debt = refund(counter.used, counter.debt, (charged - actual) * counter.period)
  end,

  reset = function(counter) counter.used, counter.debt = 0, 0 end,

  pack = function(limit, counter, now)
    return packBucket(limit.id, counter.amount, counter.period, now, counter.used, counter.debt)
  end,

  refundRecord = function(value, place, cost, _, time)
    local recordId, amount, period, taken, debt = readBucket(value, place, time)
    taken, debt = refund(taken, debt, cost * period)
    return (packBucket(recordId, amount, period, time, taken, debt))
  end,

  rebaseRecord = function(value, place, from, to)
    local recordId, amount, period, taken, debt = readBucket(value, place, from)
    return (packBucket(recordId, amount, period, to, taken, debt))
  end,
}
