-- Included by rare.lua: state that a clock more than five seconds ahead has written.

local function rebaseList(value, from)
  local entries, sum = {}, 0
  for place = LIST_HEADER_BYTES + 1, #value, ENTRY_BYTES do
    local endsAt, cost, chargeId = unpackBytes('<I6I5c6', value, place)
    if endsAt > from then
      entries[#entries + 1] = packBytes('<I6I5c6', endsAt - from + clock, cost, chargeId)
      sum = sum + cost
    end
  end
  return packBytes('<BI6I4I6', LIST_VERSION, clock, 0, sum) .. table.concat(entries)
end

local function rebaseRecord(value, kind, place, from)
  if kind == PENDING then
    local chargeId, deadline, recordId, cost, stamp = unpackBytes('<I6I6I6I5I6', value, place + 1)
    return packBytes('<BI6I6I6I5I6', PENDING, chargeId, max(0, deadline - from + clock), recordId, cost, min(stamp, clock))
  end
  local recordId, emptyAt, window, rest = unpackBytes('<I6I6I5', value, place + 1)
  if kind == FIXED then
    local count = unpackBytes('<I5', value, rest)
    return emptyAt > from and packFixed(recordId, window, floor(clock / window), count) or nil
  end
  if kind == SLIDING then
    local current, previous = unpackBytes('<I5I5', value, rest)
    local passed = floor(from / window) - (emptyAt / window - 2)
    if passed ~= 0 then current, previous = 0, passed == 1 and current or 0 end
    return (packSliding(recordId, window, floor(clock / window), current, previous))
  end
  if kind == STRICT then
    local counts = refreshStrict(window, from, readStrict(value, place))
    return (packStrict(recordId, window, newestPart(window, clock), counts))
  end
  local amount, period, taken, debt = window, unpackBytes('<I5I7', value, rest)
  debt = kind == BUCKET_IN_DEBT and unpackBytes('<I7', value, place + 30) or 0
  taken, debt = refreshBucket(emptyAt, from, amount, taken, debt)
  return (packBucket(recordId, amount, period, clock, taken, debt))
end

-- The clock that wrote partition k ran ahead and was set back: its state is brought up to the old time and goes on
-- from the new one, without a refill for the jump.
function R.rebase(k, from)
  local value = values[k]
  if byte(value, 1) == LIST_VERSION then
    values[k] = rebaseList(value, from)
  else
    local records = {}
    eachRecord(value, function(kind, place) records[#records + 1] = rebaseRecord(value, kind, place, from) end)
    values[k] = packBytes('<BI6I4I4', byte(value, 1), clock, 0, 0) .. table.concat(records)
  end
  expiresAt[k], sweepAt[k], fields[k], dirty[k] = 0, 0, nil, true
  rebased = rebased + 1
end
