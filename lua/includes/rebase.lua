-- State that a clock ahead has written, brought up to the old time, `from`, and going on from the new one, `to`, without a
-- refill for the jump.

local function rebaseList(value, from, to)
  local entries, sum = {}, 0
  for place = LIST_HEADER.BYTES + 1, #value, ENTRY.BYTES do
    local endsAt, cost, chargeId = unpackBytes(ENTRY.FORMAT, value, place)
    if endsAt > from then
      entries[#entries + 1] = packBytes(ENTRY.FORMAT, endsAt - from + to, cost, chargeId)
      sum = sum + cost
    end
  end
  return packBytes(LIST_HEADER.FORMAT, VERSION.LIST, to, 0, sum) .. table.concat(entries)
end

-- The record, or nil when it was empty.
local function rebaseRecord(value, kind, place, from, to)
  if kind == KIND.PENDING then
    local chargeId, deadline, recordId, cost, stamp = readPending(value, place)
    deadline, stamp = max(0, deadline - from + to), min(stamp, to)
    return packBytes(PENDING.FORMAT, KIND.PENDING, chargeId, deadline, recordId, cost, stamp)
  elseif kind == KIND.FIXED then
    local recordId, window, _, count, isOver = readFixed(value, place, from)
    return not isOver and packFixed(recordId, window, floor(to / window), count) or nil
  elseif kind == KIND.SLIDING then
    local recordId, window, index, current, previous = readSliding(value, place)
    local passed = floor(from / window) - index
    if passed ~= 0 then current, previous = 0, passed == 1 and current or 0 end
    return (packSliding(recordId, window, floor(to / window), current, previous))
  elseif kind == KIND.STRICT then
    local recordId, window, newest, counts = readStrict(value, place)
    return (packStrict(recordId, window, newestPart(window, to), (refreshStrict(window, from, newest, counts))))
  end
  local recordId, emptyAt, amount, period, taken, debt = readBucket(value, place)
  taken, debt = refill(taken, debt, amount, emptyAt, from)
  return (packBucket(recordId, amount, period, to, taken, debt))
end

local function rebaseRecords(value, from, to)
  local records = {}
  eachRecord(value, function(kind, place) records[#records + 1] = rebaseRecord(value, kind, place, from, to) end)
  return packBytes(HEADER.FORMAT, byte(value, 1), to, 0, 0) .. table.concat(records)
end
