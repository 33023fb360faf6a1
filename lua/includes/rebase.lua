-- Rebases records that were written while the clock was ahead. They are updated to the old time,
-- `from`, and continue from the new time, `to`, without a refill for the difference.

local function rebasePending(value, place, from, to)
  local chargeId, deadline, recordId, cost, stamp = readPending(value, place)
  return packPending(recordId, cost, chargeId, max(0, deadline - from + to), min(stamp, to))
end

-- Returns the rebased value, without the records that are empty at `now`, the time of the call.
local function rebaseRecords(value, from, to, now)
  local records = {}
  eachRecord(value, function(kind, place)
    if kind == KIND.PENDING then
      records[#records + 1] = rebasePending(value, place, from, to)
      return
    end
    local record = shapeOf(kind).rebaseRecord(value, place, from, to)
    local emptyAt = record and unpackBytes(RECORD.FORMAT_OF_EMPTY_AT, record, 1 + RECORD.BYTE_OF_EMPTY_AT)
    -- Drops an empty record, as every write does. The refill rate in it is lost.
    if record and emptyAt > now then records[#records + 1] = record end
  end)
  return packBytes(HEADER.FORMAT, byte(value, 1), to, 0, 0) .. table.concat(records)
end
