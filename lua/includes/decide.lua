-- Counters by themselves, where the fields of a whole partition are not enough.

-- Moves the counters of partition k from its fields to the arrays by counter.
local function splitFields(k)
  local read, from, definitions, places = fields[k], firstCounter[k], definitionsOf[groupOf[k]], placesOf[groupOf[k]]
  for i = 1, #definitions do
    local s, d, at = from + i - 1, definitions[i], places[i]
    definitionOf[s], touched[s] = d, changed[k]
    if shape[d] == KIND.BUCKET then
      amountOf[s], periodOf[s] = read[at + BUCKET.AMOUNT], read[at + BUCKET.PERIOD]
      used[s], debtOf[s] = read[at + BUCKET.TAKEN], 0
    elseif shape[d] == KIND.SLIDING then
      used[s], previousOf[s] = read[at + SLIDING.CURRENT], read[at + SLIDING.PREVIOUS]
    else
      used[s] = read[at + FIXED.COUNT]
    end
  end
  fields[k], split[k] = nil, true
  if tails[k] then
    values[k], hasPending[k] = string.sub(values[k], 1, bytesOf[groupOf[k]]) .. tails[k], true
    tails[k] = nil
  end
end

-- The definition of counter s, whose state is in the arrays by counter from here on; nil: there is none.
local function open(s)
  if not definitionOf[s] then
    local k = keyAt[s]
    if k then splitFields(k) end
  end
  return definitionOf[s]
end

-- Whether counter s has room for `cost`.
local function admits(s, d, cost)
  if cost == 0 then return true end
  local kind = shape[d]
  if kind == KIND.SLIDING then
    local sum, before = used[s] + cost, previousOf[s]
    if before > 0 then
      -- The previous window counts by the share that the true window still overlaps, rounded up.
      local window = first[d]
      local scaled = before * (endOf[d] - now)
      sum = sum + (scaled + -scaled % window) / window
    end
    return sum <= capacity[d]
  elseif kind == KIND.BUCKET then
    if cost > capacity[d] then return false end
    local period = second[d]
    local lacks = cost * period - (capacity[d] * period - used[s] - debtOf[s])
    if lacks <= 0 then return true end
    if maxDelayMs[d] == 0 then return false end
    local ahead = leaky[d] == 1 and used[s] + debtOf[s] or lacks
    return math.ceil(ahead / first[d]) <= maxDelayMs[d]
  end
  return used[s] + cost <= capacity[d]
end

-- Goes over to the rate that the limit has now, where that is another one. A charge that costs something writes it even if
-- it is denied, or the wait that it is told would not hold.
local function adoptRate(s, d, cost)
  if amountOf[s] ~= first[d] or periodOf[s] ~= second[d] then
    slow().adoptRate(s, d)
    moved[s] = split[keyAt[s]] or position[s]
  end
  if cost > 0 and moved[s] then touched[s] = true end
end

-- Appends the numbers of one limit to the reply at n, as src/limiter/limit-state.ts reads them; returns the next n.
local function report(reply, n, s, d, cost, room)
  local kind = shape[d]
  reply[n] = room and used[s] or -1 - used[s]
  if kind == KIND.SLIDING then
    reply[n + 1] = previousOf[s]
    return n + 2
  elseif kind == KIND.BUCKET then
    reply[n + 1] = debtOf[s]
    return n + 2
  elseif kind == KIND.FIXED then
    return n + 1
  end
  reply[n + 1], reply[n + 2] = slow().times(s, d, cost, room)
  return n + 3
end
