-- Functions of lists, which are logs and concurrency slots (see
-- src/limiter/algorithms/entry-list.ts). A list contains its entries as bytes, in the order in
-- which they end.

-- Returns for how long a mean hold time is kept after the last change.
local function holdsKept(limit) return min(limit.first, MAX_HOLDS_KEPT_MS) end

-- Returns the entries of a value that have not ended, the sum of their costs, and the mean hold
-- time (0: unknown).
local function liveEntries(limit, value, time)
  local version, seenAt, _, sum = unpackBytes(LIST_HEADER.FORMAT, value)
  local place, size, meanHold = LIST_HEADER.BYTES + 1, #value, 0
  if version == VERSION.HELD_LIST then meanHold, place = unpackBytes(HOLDS.FORMAT, value, place) end
  while place <= size do
    local endsAt, cost = unpackBytes(ENTRY.FORMAT, value, place)
    if endsAt > time then break end
    sum = sum - cost
    place = place + ENTRY.BYTES
  end
  if place > size and seenAt + holdsKept(limit) <= time then meanHold = 0 end
  return sub(value, place), sum, meanHold
end

-- Adds an entry, unless there are too many. Returns the entries and the increase of their sum.
local function addEntry(entries, endsAt, cost, chargeId)
  if #entries >= MAX_ENTRIES * ENTRY.BYTES then return entries, 0 end
  local place = #entries
  while place > 0 and unpackBytes(ENTRY.FORMAT_OF_ENDS_AT, entries, place - ENTRY.BYTES + 1) > endsAt do place = place - ENTRY.BYTES end
  local entry = packBytes(ENTRY.FORMAT, endsAt, cost, chargeId)
  return sub(entries, 1, place) .. entry .. sub(entries, place + 1), cost
end

-- Returns the place of the entry of a charge, or nil. The charge id is the last field of an entry.
local function findEntry(entries, chargeId)
  local inEntry = ENTRY.BYTES - #chargeId + 1
  local found = string.find(entries, chargeId, inEntry, true)
  while found and (found - inEntry) % ENTRY.BYTES ~= 0 do found = string.find(entries, chargeId, found + 1, true) end
  return found and found - inEntry + 1
end

-- Sets the cost of the entry of a charge (0 removes the entry). Returns the entries and the
-- increase of their sum.
local function correctEntry(entries, chargeId, corrected)
  local place = findEntry(entries, chargeId)
  if not place then return entries, 0 end
  local endsAt, cost = unpackBytes(ENTRY.FORMAT, entries, place)
  local entry = corrected > 0 and packBytes(ENTRY.FORMAT, endsAt, corrected, chargeId) or ''
  return sub(entries, 1, place - 1) .. entry .. sub(entries, place + ENTRY.BYTES), corrected - cost
end

-- Extends the entry of a charge from its pending deadline to `endsAt`. Returns the entries, and
-- whether the charge has an entry.
local function extendEntry(entries, chargeId, endsAt)
  local place = findEntry(entries, chargeId)
  if not place then return entries, false end
  local endsNowAt, cost = unpackBytes(ENTRY.FORMAT, entries, place)
  if endsNowAt >= endsAt then return entries, true end
  return addEntry(sub(entries, 1, place - 1) .. sub(entries, place + ENTRY.BYTES), endsAt, cost, chargeId), true
end

-- Returns the time at which enough entries of a log have ended for `cost` to fit.
local function logRetryAt(entries, sum, cost, capacity)
  for place = 1, #entries, ENTRY.BYTES do
    local endsAt, entryCost = unpackBytes(ENTRY.FORMAT, entries, place)
    sum = sum - entryCost
    if sum + cost <= capacity then return endsAt end
  end
  return 0
end

-- Returns the time at which a slot is expected to be free (see
-- src/limiter/algorithms/concurrency.ts).
local function slotAt(limit, counter, now)
  local entries, meanHold, lasts = counter.entries, counter.meanHold, limit.first
  local size = #entries
  if size == 0 then return 0 end
  local function endsAt(place) return (unpackBytes(ENTRY.FORMAT_OF_ENDS_AT, entries, place * ENTRY.BYTES + 1)) end
  local firstEndsAt = endsAt(0)
  if meanHold == 0 then return firstEndsAt end
  -- Finds the first entry held for less than the mean. Slots end in the order in which they
  -- started.
  local low, high = 0, size / ENTRY.BYTES
  while low < high do
    local middle = floor((low + high) / 2)
    if endsAt(middle) - lasts + meanHold > now then high = middle else low = middle + 1 end
  end
  local wait
  if low * ENTRY.BYTES < size then
    -- After an edit that shortened `leaseMs`, an older slot seems to have started in the future.
    wait = meanHold - max(0, now - (endsAt(low) - lasts))
  else
    wait = now - (endsAt(low - 1) - lasts)
  end
  return min(firstEndsAt, now + max(MIN_SLOT_WAIT_MS, wait))
end

local function listEmptyAt(entries)
  local size = #entries
  return size > 0 and unpackBytes(ENTRY.FORMAT_OF_ENDS_AT, entries, size - ENTRY.BYTES + 1) or 0
end

-- Moves the entries of a value from the old time, `from`, to the new time, `to`. Drops the mean
-- hold time, because it was measured with the wrong clock.
local function rebaseList(value, from, to)
  local entries, sum, start = {}, 0, LIST_HEADER.BYTES + 1
  if byte(value, 1) == VERSION.HELD_LIST then start = start + HOLDS.BYTES end
  for place = start, #value, ENTRY.BYTES do
    local endsAt, cost, chargeId = unpackBytes(ENTRY.FORMAT, value, place)
    if endsAt > from then
      entries[#entries + 1] = packBytes(ENTRY.FORMAT, endsAt - from + to, cost, chargeId)
      sum = sum + cost
    end
  end
  return packBytes(LIST_HEADER.FORMAT, VERSION.LIST, to, 0, sum) .. table.concat(entries)
end

-- Sets the cost of the entry of a charge. A cost of zero removes the entry.
local function correctList(counter, chargeId, cost)
  local grown
  counter.entries, grown = correctEntry(counter.entries, chargeId, cost)
  counter.used = counter.used + grown
end

-- Ends the entry of a charge made at `stamp`, and records its hold time if that is known.
local function releaseSlot(limit, counter, now, stamp, chargeId)
  local size = #counter.entries
  correctList(counter, chargeId, 0)
  if #counter.entries == size or stamp == 0 or stamp > now then return end
  local last, meanHold = min(limit.first, max(1, now - stamp)), counter.meanHold
  counter.meanHold = meanHold == 0 and last or ceil((3 * meanHold + last) / 4)
end

-- Adds an entry that expires when its window or slot ends. A pending entry expires at its deadline.
local function takeInList(limit, counter, now, cost, chargeId, pendingMs)
  local lastsMs, grown = limit.first, nil
  if pendingMs and pendingMs > 0 then lastsMs = min(pendingMs, lastsMs) end
  counter.entries, grown = addEntry(counter.entries, now + lastsMs, cost, chargeId)
  counter.used = counter.used + grown
end

local list = {
  live = liveEntries,
  rebase = rebaseList,

  -- Returns the time after which neither an entry nor the mean hold time is needed.
  emptyAt = function(limit, counter, now)
    return max(listEmptyAt(counter.entries), counter.meanHold > 0 and now + holdsKept(limit) or 0)
  end,

  take = takeInList,
  takeDenied = takeInList,

  -- Releases a slot, or corrects the entry of a log. In a log, a charge of zero has no entry yet.
  correct = function(limit, counter, now, stamp, chargeId, charged, actual)
    if limit.hasSlots then
      releaseSlot(limit, counter, now, stamp, chargeId)
    elseif charged > 0 then
      correctList(counter, chargeId, actual)
    elseif stamp + limit.first > now then
      takeInList(limit, counter, stamp, actual, chargeId)
    end
  end,

  -- Makes a pending entry permanent: it then expires like an entry that was never pending. A stamp
  -- of 0 renews a slot, which then expires like one that is taken now.
  confirm = function(limit, counter, now, cost, stamp, chargeId)
    if stamp == 0 then stamp = now end
    correctList(counter, chargeId, 0)
    if stamp + limit.first > now then takeInList(limit, counter, stamp, cost, chargeId) end
  end,

  -- Returns whether the charge has an entry, and makes it permanent.
  confirmAgain = function(limit, counter, stamp, chargeId)
    local isKnown
    counter.entries, isKnown = extendEntry(counter.entries, chargeId, stamp + limit.first)
    return isKnown
  end,

  cancel = function(counter, chargeId) correctList(counter, chargeId, 0) end,

  reset = function(counter) counter.used, counter.entries, counter.meanHold = 0, '', 0 end,

  -- Appends, after the sum, the time at which the list is empty and the time at which the cost
  -- fits.
  report = function(reply, n, limit, counter, now, cost, room)
    local entries, retryAt = counter.entries, 0
    if not room then
      retryAt = limit.hasSlots and slotAt(limit, counter, now) or logRetryAt(entries, counter.used, cost, limit.capacity)
    end
    reply[n + 1], reply[n + 2] = listEmptyAt(entries), retryAt
    return n + 3
  end,
}
