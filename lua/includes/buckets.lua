-- What buckets need beyond a charge that fits (as in src/limiter/algorithms/token-bucket.ts): amounts in, amounts out. They
-- are units of 1 / period token: `taken`, and the debt from settlements.

-- Units of 1/from in units of 1/to, rounded up; past the exact integers one unit makes up for the rounding error.
local function rescale(units, from, to)
  if from == to or units == 0 then return units end
  local tokens = floor(units / from)
  local rest = (units - tokens * from) * to
  local part = ceil(rest / from)
  if rest > 2 ^ 53 then part = min(to, part + 1) end
  return min(MAX_UNITS, tokens * to + part)
end

-- Takes units that were not admitted: what the level cannot give becomes debt, up to a cap that reservations do not use up.
local function overdraw(taken, debt, units, capacityUnits, maxDebtUnits)
  local fitting = min(units, max(0, capacityUnits - taken))
  return taken + fitting, max(debt, min(min(MAX_UNITS, maxDebtUnits), debt + units - fitting))
end

-- Gives units back; debt is paid first.
local function refund(taken, debt, units)
  local paid = min(debt, units)
  return max(0, taken - (units - paid)), debt - paid
end

-- What was taken and the debt at `time`, of a record that was to be empty at `emptyAt`.
local function refill(taken, debt, amount, emptyAt, time)
  local refilled = max(0, time - (emptyAt - ceil((taken + debt) / amount))) * amount
  return refund(taken, debt, refilled)
end
