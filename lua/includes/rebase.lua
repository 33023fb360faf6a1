-- Rebases records that were written while the clock was ahead. They are updated to the old time,
-- `from`, and continue from the new time, `to`, without a refill for the difference.

local function rebasePending(value, place, from, to)
  local chargeId, deadline, recordId, cost, stamp = readPending(value, place)
  return packPending(recordId, cost, chargeId, max(0, deadline - from + to), min(stamp, to))
end

-- Returns the rebased value, without empty records.
local function rebaseRecords(value, from, to)
  local records = {}
  eachRecord(value, function(kind, place)
    local rebase = kind == KIND.PENDING and rebasePending or shapeOf(kind).rebaseRecord
    records[#records + 1] = rebase(value, place, from, to)
  end)
  return packBytes(HEADER.FORMAT, byte(value, 1), to, 0, 0) .. table.concat(records)
end
