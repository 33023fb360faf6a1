-- Reads records one by one, wherever they are in a value.

-- Returns charge id, deadline, id of the record, cost, and time of the charge.
local function readPending(value, place)
  local _, chargeId, deadline, recordId, cost, stamp = unpackBytes(PENDING.FORMAT, value, place)
  return chargeId, deadline, recordId, cost, stamp
end

-- Returns whether a window, refill amount or refill period is zero. The scripts never write such a
-- record, and it would cause a division by zero.
local function dividesByZero(value, kind, place)
  if kind == KIND.PENDING then return false end
  local amount, period = unpackBytes(RATE.FORMAT, value, place + BUCKET.BYTE_OF_AMOUNT)
  return amount < 1 or (kind == KIND.BUCKET or kind == KIND.BUCKET_IN_DEBT) and period < 1
end

-- Calls visit(kind, place, bytes) for every record. Returns false if the value does not consist of
-- complete records.
local function eachRecord(value, visit)
  local place, size = HEADER.BYTES + 1, #value
  while place <= size do
    local kind = byte(value, place)
    local bytes = RECORD_BYTES[kind]
    if not bytes or place + bytes - 1 > size or dividesByZero(value, kind, place) then return false end
    visit(kind, place, bytes)
    place = place + bytes
  end
  return true
end

-- Returns whether the value is that of a list.
local function isList(value)
  local version = byte(value, 1)
  return version == VERSION.LIST or version == VERSION.HELD_LIST
end

-- Returns whether a version of these scripts wrote the value.
local function isReadable(value)
  local size, version = #value, byte(value, 1)
  if isList(value) then
    local head = LIST_HEADER.BYTES + (version == VERSION.HELD_LIST and HOLDS.BYTES or 0)
    return size >= head and (size - head) % ENTRY.BYTES == 0
  end
  return (version == VERSION.RECORDS or version == VERSION.PENDING) and size >= HEADER.BYTES
end
