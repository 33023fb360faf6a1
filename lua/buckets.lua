-- Included by rare.lua: what buckets need beyond a charge that fits.

-- Units of 1/from in units of 1/to, rounded up; past the exact integers one unit makes up for the rounding error.
local function rescale(units, from, to)
  if from == to or units == 0 then return units end
  local tokens = floor(units / from)
  local rest = (units - tokens * from) * to
  local part = ceil(rest / from)
  if rest > 2 ^ 53 then part = min(to, part + 1) end
  return min(MAX_UNITS, tokens * to + part)
end

-- Goes over to the rate of definition d.
function R.adoptRate(s, d)
  used[s] = rescale(used[s], periodOf[s], second[d])
  extra[s] = rescale(extra[s], periodOf[s], second[d])
  amountOf[s], periodOf[s] = first[d], second[d]
end

-- What the level cannot give becomes debt, up to a cap that reservations do not use up.
local function oweToBucket(s, d, tokens)
  local units = tokens * periodOf[s]
  local taken = min(units, max(0, capacity[d] * periodOf[s] - used[s]))
  used[s] = used[s] + taken
  local cap = min(MAX_UNITS, maxDebt[d] * periodOf[s])
  extra[s] = max(extra[s], min(cap, extra[s] + units - taken))
end

local function giveBackToBucket(s, tokens)
  local units = tokens * periodOf[s]
  local paid = min(extra[s], units)
  extra[s] = extra[s] - paid
  used[s] = max(0, used[s] - (units - paid))
end
