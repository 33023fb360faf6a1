-- Included by rare.lua: reading and packing records one by one, wherever they are in a partition.

local function packBucket(recordId, amount, period, at, taken, debt)
  if taken + debt <= 0 then return nil end
  local emptyAt = at + ceil((taken + debt) / amount)
  if debt > 0 then
    return packBytes('<BI6I6I5I5I7I7', BUCKET_IN_DEBT, recordId, emptyAt, amount, period, taken, debt), emptyAt
  end
  return packBytes('<BI6I6I5I5I7', BUCKET, recordId, emptyAt, amount, period, taken), emptyAt
end

local function packFixed(recordId, window, index, count)
  if count <= 0 then return nil end
  return packBytes('<BI6I6I5I5', FIXED, recordId, (index + 1) * window, window, count), (index + 1) * window
end

local function packSliding(recordId, window, index, current, previous)
  if current <= 0 then
    if previous <= 0 then return nil end
    index, current, previous = index - 1, previous, 0
  end
  local emptyAt = (index + 2) * window
  return packBytes('<BI6I6I5I5I5', SLIDING, recordId, emptyAt, window, current, previous), emptyAt
end

-- The record of a slot and when it is empty; nil when it already is.
local function packRecord(s)
  local d = definitionOf[s]
  local kind, window = shape[d], first[d]
  if kind == SLIDING then return packSliding(id[d], window, floor(now / window), used[s], extra[s]) end
  if kind == BUCKET then return packBucket(id[d], amountOf[s], periodOf[s], now, used[s], extra[s]) end
  if kind == FIXED then return packFixed(id[d], window, floor(now / window), used[s]) end
  return packStrict(id[d], window, newestPart(window, now), parts[s])
end

-- No record of ours has a window, a refill amount or a refill period of zero, which would divide by it.
local function dividesByZero(value, kind, place)
  if kind == PENDING then return false end
  local amount, period = unpackBytes('<I5I5', value, place + 13)
  return amount < 1 or (kind == BUCKET or kind == BUCKET_IN_DEBT) and period < 1
end

-- Calls visit(kind, place, bytes) for every record; false when the bytes do not add up.
local function eachRecord(value, visit)
  local place, size = HEADER_BYTES + 1, #value
  while place <= size do
    local kind = byte(value, place)
    local bytes = RECORD_BYTES[kind]
    if not bytes or place + bytes - 1 > size or dividesByZero(value, kind, place) then return false end
    visit(kind, place, bytes)
    place = place + bytes
  end
  return true
end

-- Returns what was taken and the debt, refilled since the record was written; debt is paid first.
local function refreshBucket(emptyAt, time, amount, taken, debt)
  local refilled = max(0, time - (emptyAt - ceil((taken + debt) / amount))) * amount
  local paid = min(debt, refilled)
  return max(0, taken - (refilled - paid)), debt - paid
end

local function loadRecord(s, d, value, place)
  if shape[d] == BUCKET then
    local emptyAt, amount, period, taken, rest = unpackBytes('<I6I5I5I7', value, place + 7)
    local debt = byte(value, place) == BUCKET_IN_DEBT and unpackBytes('<I7', value, rest) or 0
    -- A full bucket is as good as none: its rate is that of the limit.
    if emptyAt > now then
      amountOf[s], periodOf[s] = amount, period
      used[s], extra[s] = refreshBucket(emptyAt, now, amount, taken, debt)
    end
  elseif shape[d] == SLIDING then
    local emptyAt, window, current, previous = unpackBytes('<I6I5I5I5', value, place + 7)
    local passed = floor(now / window) - (emptyAt / window - 2)
    if passed == 0 then
      used[s], extra[s] = current, previous
    elseif passed == 1 then
      extra[s] = current
    end
  else
    local emptyAt, _, count = unpackBytes('<I6I5I5', value, place + 7)
    if emptyAt > now then used[s] = count end
  end
end

-- Loads the slots of partition k from wherever their records are.
function R.load(k, from, definitions)
  local value = values[k]
  if shape[definitions[1]] == LIST then return loadList(from, k) end
  local places = {}
  local function note(kind, place)
    if kind ~= PENDING then places[unpackBytes('<I6', value, place + 1)] = place end
  end
  if value and not eachRecord(value, note) then
    repaired = repaired + 1
    value, places, values[k] = false, {}, false
  end
  for i, d in ipairs(definitions) do
    local s = from + i - 1
    local place = places[id[d]]
    if place and byte(value, place) ~= shape[d] and not (shape[d] == BUCKET and byte(value, place) == BUCKET_IN_DEBT) then
      place = nil
    end
    position[s] = place
    used[s], extra[s] = 0, 0
    if shape[d] == BUCKET then amountOf[s], periodOf[s] = first[d], second[d] end
    if shape[d] == STRICT then
      loadStrict(s, d, value, place)
    elseif place then
      loadRecord(s, d, value, place)
    end
  end
end

-- The bytes of a value that no version of this script wrote count as no value.
function R.isReadable(k)
  local value = values[k]
  local size, version = #value, byte(value, 1)
  local readable = (version == 1 or version == PENDING_VERSION) and size >= HEADER_BYTES
  hasPending[k] = version == PENDING_VERSION
  if version == LIST_VERSION then
    readable = size >= LIST_HEADER_BYTES and (size - LIST_HEADER_BYTES) % ENTRY_BYTES == 0
  end
  if not readable then repaired = repaired + 1 end
  return readable
end
