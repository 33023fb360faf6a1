-- The log and leases (as in src/limiter/algorithms/entry-list.ts): entries, as the bytes that they are kept in, in the order
-- in which they end.

-- The entries of a value that have not ended, and the sum of their costs.
local function liveEntries(value, time)
  local _, _, _, sum = unpackBytes(LIST_HEADER.FORMAT, value)
  local place, size = LIST_HEADER.BYTES + 1, #value
  while place <= size do
    local endsAt, cost = unpackBytes(ENTRY.FORMAT, value, place)
    if endsAt > time then break end
    sum = sum - cost
    place = place + ENTRY.BYTES
  end
  return sub(value, place), sum
end

-- The entries with one more, unless there are too many; and by how much their sum has grown.
local function addEntry(entries, endsAt, cost, chargeId)
  if #entries >= MAX_ENTRIES * ENTRY.BYTES then return entries, 0 end
  local place = #entries
  while place > 0 and unpackBytes(ENTRY.FORMAT_OF_ENDS_AT, entries, place - ENTRY.BYTES + 1) > endsAt do place = place - ENTRY.BYTES end
  local entry = packBytes(ENTRY.FORMAT, endsAt, cost, chargeId)
  return sub(entries, 1, place) .. entry .. sub(entries, place + 1), cost
end

-- Where a charge's entry starts, or nil. The charge id stands at its end.
local function findEntry(entries, chargeId)
  local inEntry = ENTRY.BYTES - #chargeId + 1
  local found = string.find(entries, chargeId, inEntry, true)
  while found and (found - inEntry) % ENTRY.BYTES ~= 0 do found = string.find(entries, chargeId, found + 1, true) end
  return found and found - inEntry + 1
end

-- The entries where that of a charge has another cost (0: it ends); and by how much their sum has grown.
local function correctEntry(entries, chargeId, corrected)
  local place = findEntry(entries, chargeId)
  if not place then return entries, 0 end
  local endsAt, cost = unpackBytes(ENTRY.FORMAT, entries, place)
  local entry = corrected > 0 and packBytes(ENTRY.FORMAT, endsAt, corrected, chargeId) or ''
  return sub(entries, 1, place - 1) .. entry .. sub(entries, place + ENTRY.BYTES), corrected - cost
end

-- A log: when enough entries have left for `cost` to fit. Leases: when the first one can end.
local function listRetryAt(entries, sum, cost, capacity, isLease)
  for place = 1, #entries, ENTRY.BYTES do
    local endsAt, entryCost = unpackBytes(ENTRY.FORMAT, entries, place)
    sum = sum - entryCost
    if isLease or sum + cost <= capacity then return endsAt end
  end
  return 0
end

local function listEmptyAt(entries)
  local size = #entries
  return size > 0 and unpackBytes(ENTRY.FORMAT_OF_ENDS_AT, entries, size - ENTRY.BYTES + 1) or 0
end
