-- Records one by one, wherever they are in a value. What packs one returns it and when it is empty; nil when it already is.

local function packBucket(recordId, amount, period, at, taken, debt)
  if taken + debt <= 0 then return nil end
  local emptyAt = at + ceil((taken + debt) / amount)
  if debt > 0 then
    return packBytes(BUCKET_IN_DEBT.FORMAT, KIND.BUCKET_IN_DEBT, recordId, emptyAt, amount, period, taken, debt), emptyAt
  end
  return packBytes(BUCKET.FORMAT, KIND.BUCKET, recordId, emptyAt, amount, period, taken), emptyAt
end

local function packFixed(recordId, window, index, count)
  if count <= 0 then return nil end
  local emptyAt = (index + 1) * window
  return packBytes(FIXED.FORMAT, KIND.FIXED, recordId, emptyAt, window, count), emptyAt
end

local function packSliding(recordId, window, index, current, previous)
  if current <= 0 then
    if previous <= 0 then return nil end
    index, current, previous = index - 1, previous, 0
  end
  local emptyAt = (index + 2) * window
  return packBytes(SLIDING.FORMAT, KIND.SLIDING, recordId, emptyAt, window, current, previous), emptyAt
end

local function packStrict(recordId, window, newest, counts)
  local emptyAt, skipped = strictEmptyAt(window, newest, counts)
  if emptyAt == 0 then return nil end
  local kept = {}
  for back = 0, STRICT_PARTS do kept[back + 1] = counts[back + skipped + 1] or 0 end
  local head = packBytes(STRICT_HEAD.FORMAT, KIND.STRICT, recordId, emptyAt, window)
  return head .. packBytes(PARTS.FORMAT, unpack(kept)), emptyAt
end

-- Id, time at which it is empty, refill amount, refill period, what was taken, debt.
local function readBucket(value, place)
  if byte(value, place) == KIND.BUCKET_IN_DEBT then
    local _, recordId, emptyAt, amount, period, taken, debt = unpackBytes(BUCKET_IN_DEBT.FORMAT, value, place)
    return recordId, emptyAt, amount, period, taken, debt
  end
  local _, recordId, emptyAt, amount, period, taken = unpackBytes(BUCKET.FORMAT, value, place)
  return recordId, emptyAt, amount, period, taken, 0
end

-- Id, window, index of the window that was counted, count, and whether it is over at `time`.
local function readFixed(value, place, time)
  local _, recordId, emptyAt, window, count = unpackBytes(FIXED.FORMAT, value, place)
  return recordId, window, emptyAt / window - 1, count, emptyAt <= time
end

-- Id, window, index of the window that was counted, current and previous count.
local function readSliding(value, place)
  local _, recordId, emptyAt, window, current, previous = unpackBytes(SLIDING.FORMAT, value, place)
  return recordId, window, emptyAt / window - 2, current, previous
end

-- Id, window, index of the newest part, counts.
local function readStrict(value, place)
  local _, recordId, emptyAt, window, rest = unpackBytes(STRICT_HEAD.FORMAT, value, place)
  local counts = { unpackBytes(PARTS.FORMAT, value, rest) }
  return recordId, window, (emptyAt - window + 1) / ceil(window / STRICT_PARTS) - 1, counts
end

-- Charge id, deadline, id of the record, cost, time of the charge.
local function readPending(value, place)
  local _, chargeId, deadline, recordId, cost, stamp = unpackBytes(PENDING.FORMAT, value, place)
  return chargeId, deadline, recordId, cost, stamp
end

-- No record of ours has a window, a refill amount or a refill period of zero, which would divide by it.
local function dividesByZero(value, kind, place)
  if kind == KIND.PENDING then return false end
  local amount, period = unpackBytes(RATE.FORMAT, value, place + BUCKET.BYTE_OF_AMOUNT)
  return amount < 1 or (kind == KIND.BUCKET or kind == KIND.BUCKET_IN_DEBT) and period < 1
end

-- Calls visit(kind, place, bytes) for every record; false when the bytes do not add up.
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

-- Whether a version of these scripts wrote the value.
local function isReadable(value)
  local size, version = #value, byte(value, 1)
  if version == VERSION.LIST then
    return size >= LIST_HEADER.BYTES and (size - LIST_HEADER.BYTES) % ENTRY.BYTES == 0
  end
  return (version == VERSION.RECORDS or version == VERSION.PENDING) and size >= HEADER.BYTES
end
