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

-- The entries where that of a charge, which ended at its pending deadline, lasts until `endsAt`; and whether it has one.
local function extendEntry(entries, chargeId, endsAt)
  local place = findEntry(entries, chargeId)
  if not place then return entries, false end
  local endsNowAt, cost = unpackBytes(ENTRY.FORMAT, entries, place)
  if endsNowAt >= endsAt then return entries, true end
  return addEntry(sub(entries, 1, place - 1) .. sub(entries, place + ENTRY.BYTES), endsAt, cost, chargeId), true
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

-- Gives the entry of a charge another cost; zero ends it.
local function correctList(counter, chargeId, cost)
  local grown
  counter.entries, grown = correctEntry(counter.entries, chargeId, cost)
  counter.used = counter.used + grown
end

-- An entry ends with its window, or lease; one that is pending with its deadline.
local function takeInList(limit, counter, now, cost, chargeId, pendingMs)
  local lastsMs, grown = limit.first, nil
  if pendingMs and pendingMs > 0 then lastsMs = min(pendingMs, lastsMs) end
  counter.entries, grown = addEntry(counter.entries, now + lastsMs, cost, chargeId)
  counter.used = counter.used + grown
end

local list = {
  live = liveEntries,
  emptyAt = listEmptyAt,
  rebase = rebaseList,

  take = takeInList,
  takeDenied = takeInList,

  -- A charge of nothing has no entry in a log yet.
  correct = function(limit, counter, now, stamp, chargeId, charged, actual)
    if charged == 0 and not limit.leases then
      if stamp + limit.first > now then takeInList(limit, counter, stamp, actual, chargeId) end
    else
      correctList(counter, chargeId, limit.leases and 0 or actual)
    end
  end,

  -- A pending entry becomes a lasting one: it ends as if it had not been pending.
  confirm = function(limit, counter, now, cost, stamp, chargeId)
    correctList(counter, chargeId, 0)
    if stamp + limit.first > now then takeInList(limit, counter, stamp, cost, chargeId) end
  end,

  -- Whether the charge has an entry, which ends as if it had not been pending.
  confirmAgain = function(limit, counter, stamp, chargeId)
    local isKnown
    counter.entries, isKnown = extendEntry(counter.entries, chargeId, stamp + limit.first)
    return isKnown
  end,

  cancel = function(counter, chargeId) correctList(counter, chargeId, 0) end,

  reset = function(counter) counter.used, counter.entries = 0, '' end,

  -- Behind the sum: when it is empty, and when the cost fits.
  report = function(reply, n, limit, counter, _, cost, room)
    local entries = counter.entries
    reply[n + 1] = listEmptyAt(entries)
    reply[n + 2] = room and 0 or listRetryAt(entries, counter.used, cost, limit.capacity, limit.leases)
    return n + 3
  end,
}
