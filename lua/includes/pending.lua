-- Charges that wait for the slots of other keys, in the value of a partition.

-- The record at `place` at `time`, without a pending charge that was taken from it; nil when it is empty then.
local function refundPending(value, place, cost, stamp, time)
  local kind = byte(value, place)
  if kind == KIND.FIXED then
    local recordId, window, index, count = readFixed(value, place, time)
    if floor(stamp / window) == index then count = max(0, count - cost) end
    return (packFixed(recordId, window, index, count))
  elseif kind == KIND.SLIDING then
    local recordId, window, index, current, previous = readSliding(value, place)
    local passed = index - floor(stamp / window)
    if passed == 0 then current = max(0, current - cost) end
    if passed == 1 then previous = max(0, previous - cost) end
    return (packSliding(recordId, window, index, current, previous))
  elseif kind == KIND.STRICT then
    local recordId, window, newest, counts = readStrict(value, place)
    local back = newest - newestPart(window, stamp) + 1
    if counts[back] then counts[back] = max(0, counts[back] - cost) end
    return (packStrict(recordId, window, newest, counts))
  end
  local recordId, emptyAt, amount, period, taken, debt = readBucket(value, place)
  taken, debt = refill(taken, debt, amount, emptyAt, time)
  taken, debt = refund(taken, debt, cost * period)
  return (packBucket(recordId, amount, period, time, taken, debt))
end

-- The value without what is pending past its deadline, which nobody is going to confirm, and whether more is pending; nil
-- when nothing is past its deadline, or the value is not readable.
local function withoutOverdue(value, time)
  local overdue, records, left = {}, {}, false
  local readable = eachRecord(value, function(kind, place)
    if kind ~= KIND.PENDING then return end
    local _, deadline, recordId, cost, stamp = readPending(value, place)
    if deadline > time then
      left = true
    else
      overdue[#overdue + 1] = { place = place, recordId = recordId, cost = cost, stamp = stamp }
    end
  end)
  if not readable or #overdue == 0 then return nil end
  local dropped, refunded = {}, {}
  for _, one in ipairs(overdue) do
    dropped[one.place] = true
    eachRecord(value, function(kind, place)
      if kind == KIND.PENDING or refunded[place] == '' then return end
      if unpackBytes(RECORD.FORMAT_OF_ID, value, place + RECORD.BYTE_OF_ID) ~= one.recordId then return end
      local from, at = refunded[place] or value, refunded[place] and 1 or place
      refunded[place] = refundPending(from, at, one.cost, one.stamp, time) or ''
    end)
  end
  eachRecord(value, function(_, place, bytes)
    if not dropped[place] then records[#records + 1] = refunded[place] or sub(value, place, place + bytes - 1) end
  end)
  return sub(value, 1, HEADER.BYTES) .. table.concat(records), left
end

-- Where what is pending on a record stands: of one charge, or (nil) of all of them.
local function pendingPlaces(value, recordId, chargeId)
  local places = {}
  eachRecord(value, function(kind, place)
    if kind ~= KIND.PENDING then return end
    local pendingId, _, ofRecord = readPending(value, place)
    if ofRecord == recordId and (chargeId == nil or pendingId == chargeId) then places[#places + 1] = place end
  end)
  return places
end
