-- Functions on the pending charges in the value of a partition. They wait for the decisions of
-- other hash slots.

-- Returns the record of a pending charge.
local function packPending(recordId, cost, chargeId, deadline, stamp)
  return packBytes(PENDING.FORMAT, KIND.PENDING, chargeId, deadline, recordId, cost, stamp)
end

-- Returns the value without pending charges past their deadlines, and whether others are pending. A
-- charge past its deadline can no longer be confirmed, so it is refunded. Returns nil when no
-- charge is past its deadline, or the value is not readable.
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
      refunded[place] = shapeOf(byte(from, at)).refundRecord(from, at, one.cost, one.stamp, time) or ''
    end)
  end
  eachRecord(value, function(_, place, bytes)
    if not dropped[place] then records[#records + 1] = refunded[place] or sub(value, place, place + bytes - 1) end
  end)
  return sub(value, 1, HEADER.BYTES) .. table.concat(records), left
end

-- Returns the places of the pending charges on a record: those of one charge, or all if `chargeId`
-- is nil.
local function pendingPlaces(value, recordId, chargeId)
  local places = {}
  eachRecord(value, function(kind, place)
    if kind ~= KIND.PENDING then return end
    local pendingId, _, ofRecord = readPending(value, place)
    if ofRecord == recordId and (chargeId == nil or pendingId == chargeId) then places[#places + 1] = place end
  end)
  return places
end

-- Returns the bytes of the pending charges in a value, except those at the places in `settled`.
local function leftPending(value, settled)
  local records = {}
  eachRecord(value, function(kind, place, bytes)
    if kind == KIND.PENDING and not settled[place] then records[#records + 1] = sub(value, place, place + bytes - 1) end
  end)
  return table.concat(records)
end
