-- Shared by charge.lua, settle.lua and peek.lua, which include this text. Read all, decide, write all: nothing is
-- written before everything was read and decided, because a script that fails after its first write is not undone.
--
-- KEYS     the partitions, each once
-- ARGV[1]  the request (src/limiter/wire.ts writes it): definitions of limits; groups of definitions; for every key the
--          group of limits that count in it, whose places there, one key after the other, are the slots; then what the
--          script does with the slots
-- ARGV[2]  the time in epoch milliseconds, or '' for the clock of this server
--
-- All numbers are whole; times are milliseconds. A partition is one string, little-endian:
--   version 1 (129 while a charge is pending in it), time of the last write 6, expiry of the key in seconds 4, second of
--   the next sweep 4, records
-- A record starts with its kind 1, id 6 and the time at which it is empty 6, and goes on with
--   bucket            refill amount 5, refill period 5, used 7 [, debt 7]
--   fixed window      window 5, count 5
--   sliding window    window 5, current 5, previous 5
--   strict window     window 5, eleven parts 5 each, newest first
-- A pending charge stands beside the records it was taken from, once for each, until the slots of other keys have
-- answered; past its deadline it is given back by the next script that reads it:
--   kind 1, charge id 6, deadline 6, id of the record 6, cost 5, time of the charge 6
-- The times that an algorithm needs follow from the time at which its record is empty. A list (log, leases) has a key
-- of its own:
--   version 1, time of the last write 6, expiry in seconds 4, sum 6, entries (end 6, cost 5, charge id 6) by their ends
--
-- Speed: a function costs what it captures, every time the script runs. What is rarely needed is made in `rare`, once
-- it is. A partition that holds just its group, in the same order, is read and written by one call each. Whole
-- divisions are written with % because a call of math.floor costs ten times as much.

local BUCKET, FIXED, SLIDING, STRICT, LIST, BUCKET_IN_DEBT, PENDING = 1, 2, 3, 4, 5, 6, 7
local RECORD_BYTES = { 30, 23, 28, 73, [6] = 37, [7] = 30 }
local RECORD_FORMATS = { 'BI6I6I5I5I7', 'BI6I6I5I5', 'BI6I6I5I5I5' }
local HEADER_BYTES = 15
local LIST_VERSION, PENDING_VERSION = 2, 129
local MAX_AHEAD_MS = 5000
local MAX_COST, MAX_TIME = 2 ^ 31 - 1, 2 ^ 47

local unpackBytes, packBytes = struct.unpack, struct.pack
local request, injectedTime = ARGV[1], tonumber(ARGV[2])

-- Definitions of limits, in arrays by number. Flags are 0 or 1. `first` and `second` are the refill amount and period of
-- a bucket; `first` is the window of all others.
local shape, id, capacity, first, second = {}, {}, {}, {}, {}
local leaky, leases, shadow, countDenied, maxDebt, maxDelayMs = {}, {}, {}, {}, {}, {}

-- Groups: their definitions, the format of a partition that holds just them, and its bytes.
local definitionsOf, formatOf, bytesOf = {}, {}, {}

-- Partitions, in arrays by the number of their key. `fields` is what formatOf read, where that was possible.
local values, fields, expiresAt, sweepAt, dirty = {}, {}, {}, {}, {}
local groupOf, firstSlot
local clock, now
-- By key: places of pending charges that are settled now, and the bytes of new ones.
local hasPending, settledPending, newPending = {}, {}, {}
local repaired, rebased = 0, 0

-- Counters in use, in arrays by slot: where they are, and their state at `now` (as in src/limiter/counter.ts).
local definitionOf, keyOf, position, touched = {}, {}, {}, {}
local used, extra, amountOf, periodOf, parts, body = {}, {}, {}, {}, {}, {}

-- What is rarely needed: strict windows, lists, debts, other rates, sweeps, wrong clocks, unreadable data.
local rareFunctions
local function rare()
  if rareFunctions then return rareFunctions end
  local sub, byte, floor, ceil, min, max = string.sub, string.byte, math.floor, math.ceil, math.min, math.max
  local LIST_HEADER_BYTES, ENTRY_BYTES, MAX_ENTRIES = 17, 17, 10000
  local STRICT_PARTS, MAX_RECORDS = 10, 64
  local MAX_UNITS, MAX_COUNT, MAX_SECONDS = 2 ^ 52, 2 ^ 40 - 1, 2 ^ 32 - 1
  local STRICT_FORMAT = '<' .. string.rep('I5', STRICT_PARTS + 1)
  local R = {}
  rareFunctions = R

  -- Buckets.

  -- Units of 1/from in units of 1/to, rounded up; past the exact integers one unit makes up for the rounding error.
  local function rescale(units, from, to)
    if from == to or units == 0 then return units end
    local tokens = floor(units / from)
    local rest = (units - tokens * from) * to
    local part = ceil(rest / from)
    if rest > 2 ^ 53 then part = min(to, part + 1) end
    return min(MAX_UNITS, tokens * to + part)
  end

  -- Goes over to the rate of definition d.
  function R.adoptRate(s, d)
    used[s] = rescale(used[s], periodOf[s], second[d])
    extra[s] = rescale(extra[s], periodOf[s], second[d])
    amountOf[s], periodOf[s] = first[d], second[d]
  end

  -- What the level cannot give becomes debt, up to a cap that reservations do not use up.
  local function oweToBucket(s, d, tokens)
    local units = tokens * periodOf[s]
    local taken = min(units, max(0, capacity[d] * periodOf[s] - used[s]))
    used[s] = used[s] + taken
    local cap = min(MAX_UNITS, maxDebt[d] * periodOf[s])
    extra[s] = max(extra[s], min(cap, extra[s] + units - taken))
  end

  local function giveBackToBucket(s, tokens)
    local units = tokens * periodOf[s]
    local paid = min(extra[s], units)
    extra[s] = extra[s] - paid
    used[s] = max(0, used[s] - (units - paid))
  end

  -- Windows.

  -- Counts of the parts that a window ending at `time` can reach into, newest first, and their sum.
  local function refreshStrict(window, time, at, counts)
    local partMs = ceil(window / STRICT_PARTS)
    local newest, oldest = floor(time / partMs), floor((time - window + 1) / partMs)
    local fresh, sum = {}, 0
    for back = 0, STRICT_PARTS do
      local count = newest - back >= oldest and counts[back - (newest - at) + 1] or 0
      fresh[back + 1] = count
      sum = sum + count
    end
    return fresh, sum
  end

  -- When a part is left behind by every window that ends then or later.
  local function partEndsAt(window, index) return (index + 1) * ceil(window / STRICT_PARTS) + window - 1 end

  local function newestPart(window, time) return floor(time / ceil(window / STRICT_PARTS)) end

  -- When all parts have left, and how many empty ones stand in front; 0: all are empty.
  local function strictEmptyAt(window, newest, counts)
    for back = 0, STRICT_PARTS do
      if counts[back + 1] > 0 then return partEndsAt(window, newest - back), back end
    end
    return 0, 0
  end

  local function packStrict(recordId, window, newest, counts)
    local emptyAt, skipped = strictEmptyAt(window, newest, counts)
    if emptyAt == 0 then return nil end
    local kept = {}
    for back = 0, STRICT_PARTS do kept[back + 1] = counts[back + skipped + 1] or 0 end
    local head = packBytes('<BI6I6I5', STRICT, recordId, emptyAt, window)
    return head .. packBytes(STRICT_FORMAT, unpack(kept)), emptyAt
  end

  -- Returns the newest part and the counts.
  local function readStrict(value, place)
    local emptyAt, window, rest = unpackBytes('<I6I5', value, place + 7)
    local counts = { unpackBytes(STRICT_FORMAT, value, rest) }
    return (emptyAt - window + 1) / ceil(window / STRICT_PARTS) - 1, counts
  end

  local function loadStrict(s, d, value, place)
    local newest, counts = 0, {}
    if place then newest, counts = readStrict(value, place) end
    parts[s], used[s] = refreshStrict(first[d], now, newest, counts)
  end

  local function strictRetryAt(s, d, cost)
    local sum = used[s]
    for back = STRICT_PARTS, 0, -1 do
      sum = sum - parts[s][back + 1]
      if sum + cost <= capacity[d] then return partEndsAt(first[d], newestPart(first[d], now) - back) end
    end
    return 0
  end

  -- Changes the count of the window (or part) that `stamp` lies in, while it still counts; never below zero.
  local function correctWindow(s, d, stamp, difference)
    local window = first[d]
    if shape[d] == STRICT then
      local back = newestPart(window, now) - newestPart(window, stamp)
      local count = parts[s][back + 1]
      if not count then return end
      parts[s][back + 1] = max(0, min(count + difference, MAX_COUNT))
      used[s] = used[s] + parts[s][back + 1] - count
      return
    end
    local most = shape[d] == SLIDING and min(MAX_COUNT, floor(MAX_UNITS / window)) or MAX_COUNT
    local passed = floor(now / window) - floor(stamp / window)
    if passed == 0 then
      used[s] = max(0, min(used[s] + difference, most))
    elseif passed == 1 and shape[d] == SLIDING then
      extra[s] = max(0, min(extra[s] + difference, most))
    end
  end

  -- Lists: log and leases.

  local function loadList(s, k)
    local value = values[k]
    body[s], used[s] = '', 0
    if not value then return end
    if byte(value, 1) ~= LIST_VERSION then
      repaired = repaired + 1
      return
    end
    local sum = unpackBytes('<I6', value, 12)
    local place, size = LIST_HEADER_BYTES + 1, #value
    while place <= size do
      local endsAt, cost = unpackBytes('<I6I5', value, place)
      if endsAt > now then break end
      sum = sum - cost
      place = place + ENTRY_BYTES
    end
    body[s], used[s] = sub(value, place), sum
  end

  local function addEntry(s, endsAt, cost, chargeId)
    local entries = body[s]
    if #entries >= MAX_ENTRIES * ENTRY_BYTES then return end
    local place = #entries
    while place > 0 and unpackBytes('<I6', entries, place - ENTRY_BYTES + 1) > endsAt do place = place - ENTRY_BYTES end
    local entry = packBytes('<I6I5c6', endsAt, cost, chargeId)
    body[s] = sub(entries, 1, place) .. entry .. sub(entries, place + 1)
    used[s] = used[s] + cost
  end

  -- Start of a charge's entry, or nil.
  local function findEntry(entries, chargeId)
    local found = string.find(entries, chargeId, 12, true)
    while found and (found - 12) % ENTRY_BYTES ~= 0 do found = string.find(entries, chargeId, found + 1, true) end
    return found and found - 11
  end

  local function correctEntry(s, d, chargeId, actual)
    local entries = body[s]
    local place = findEntry(entries, chargeId)
    if not place then return end
    local endsAt, cost = unpackBytes('<I6I5', entries, place)
    local corrected = leases[d] == 1 and 0 or actual
    local entry = corrected > 0 and packBytes('<I6I5c6', endsAt, corrected, chargeId) or ''
    body[s] = sub(entries, 1, place - 1) .. entry .. sub(entries, place + ENTRY_BYTES)
    used[s] = used[s] + corrected - cost
  end

  local function listRetryAt(s, d, cost)
    local sum = used[s]
    for place = 1, #body[s], ENTRY_BYTES do
      local endsAt, entryCost = unpackBytes('<I6I5', body[s], place)
      sum = sum - entryCost
      if leases[d] == 1 or sum + cost <= capacity[d] then return endsAt end
    end
    return 0
  end

  local function listEmptyAt(s)
    local size = #body[s]
    return size > 0 and unpackBytes('<I6', body[s], size - ENTRY_BYTES + 1) or 0
  end

  -- All shapes.

  -- An entry that is pending ends with its deadline.
  function R.take(s, d, cost, chargeId, pendingMs)
    if shape[d] ~= LIST then return correctWindow(s, d, now, cost) end
    local lastsMs = pendingMs > 0 and min(pendingMs, first[d]) or first[d]
    addEntry(s, now + lastsMs, cost, chargeId)
  end

  -- Counts an operation that was denied.
  function R.takeDenied(s, d, cost, chargeId)
    if shape[d] == BUCKET then oweToBucket(s, d, cost) else R.take(s, d, cost, chargeId, 0) end
  end

  -- Corrects a charge made at `stamp`.
  function R.correct(s, d, stamp, chargeId, charged, actual)
    local kind = shape[d]
    if kind == LIST then
      correctEntry(s, d, chargeId, actual)
    elseif kind ~= BUCKET then
      correctWindow(s, d, stamp, actual - charged)
    elseif actual > charged then
      oweToBucket(s, d, actual - charged)
    else
      giveBackToBucket(s, charged - actual)
    end
  end

  -- When it is empty, and when the cost fits.
  function R.times(s, d, cost, room)
    if shape[d] == STRICT then
      local emptyAt = strictEmptyAt(first[d], newestPart(first[d], now), parts[s])
      return emptyAt, room and 0 or strictRetryAt(s, d, cost)
    end
    return listEmptyAt(s), room and 0 or listRetryAt(s, d, cost)
  end

  -- Partitions.

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

  local function rebaseList(value, from)
    local entries, sum = {}, 0
    for place = LIST_HEADER_BYTES + 1, #value, ENTRY_BYTES do
      local endsAt, cost, chargeId = unpackBytes('<I6I5c6', value, place)
      if endsAt > from then
        entries[#entries + 1] = packBytes('<I6I5c6', endsAt - from + clock, cost, chargeId)
        sum = sum + cost
      end
    end
    return packBytes('<BI6I4I6', LIST_VERSION, clock, 0, sum) .. table.concat(entries)
  end

  local function rebaseRecord(value, kind, place, from)
    if kind == PENDING then
      local chargeId, deadline, recordId, cost, stamp = unpackBytes('<I6I6I6I5I6', value, place + 1)
      return packBytes('<BI6I6I6I5I6', PENDING, chargeId, max(0, deadline - from + clock), recordId, cost, min(stamp, clock))
    end
    local recordId, emptyAt, window, rest = unpackBytes('<I6I6I5', value, place + 1)
    if kind == FIXED then
      local count = unpackBytes('<I5', value, rest)
      return emptyAt > from and packFixed(recordId, window, floor(clock / window), count) or nil
    end
    if kind == SLIDING then
      local current, previous = unpackBytes('<I5I5', value, rest)
      local passed = floor(from / window) - (emptyAt / window - 2)
      if passed ~= 0 then current, previous = 0, passed == 1 and current or 0 end
      return (packSliding(recordId, window, floor(clock / window), current, previous))
    end
    if kind == STRICT then
      local counts = refreshStrict(window, from, readStrict(value, place))
      return (packStrict(recordId, window, newestPart(window, clock), counts))
    end
    local amount, period, taken, debt = window, unpackBytes('<I5I7', value, rest)
    debt = kind == BUCKET_IN_DEBT and unpackBytes('<I7', value, place + 30) or 0
    taken, debt = refreshBucket(emptyAt, from, amount, taken, debt)
    return (packBucket(recordId, amount, period, clock, taken, debt))
  end

  -- The clock that wrote partition k ran ahead and was set back: its state is brought up to the old time and goes on
  -- from the new one, without a refill for the jump.
  function R.rebase(k, from)
    local value = values[k]
    if byte(value, 1) == LIST_VERSION then
      values[k] = rebaseList(value, from)
    else
      local records = {}
      eachRecord(value, function(kind, place) records[#records + 1] = rebaseRecord(value, kind, place, from) end)
      values[k] = packBytes('<BI6I4I4', byte(value, 1), clock, 0, 0) .. table.concat(records)
    end
    expiresAt[k], sweepAt[k], fields[k], dirty[k] = 0, 0, nil, true
    rebased = rebased + 1
  end

  -- The record at `place` without a pending charge that was taken from it.
  local function giveBack(value, place, cost, stamp)
    local kind = byte(value, place)
    local recordId, emptyAt, window, rest = unpackBytes('<I6I6I5', value, place + 1)
    if kind == BUCKET or kind == BUCKET_IN_DEBT then
      local amount, period, taken, debt = window, unpackBytes('<I5I7', value, rest)
      debt = kind == BUCKET_IN_DEBT and unpackBytes('<I7', value, place + 30) or 0
      taken, debt = refreshBucket(emptyAt, now, amount, taken, debt)
      local paid = min(debt, cost * period)
      return (packBucket(recordId, amount, period, now, max(0, taken - (cost * period - paid)), debt - paid))
    elseif kind == FIXED then
      local index, count = emptyAt / window - 1, unpackBytes('<I5', value, rest)
      if floor(stamp / window) == index then count = max(0, count - cost) end
      return (packFixed(recordId, window, index, count))
    elseif kind == SLIDING then
      local index, current, previous = emptyAt / window - 2, unpackBytes('<I5I5', value, rest)
      local passed = index - floor(stamp / window)
      if passed == 0 then current = max(0, current - cost) end
      if passed == 1 then previous = max(0, previous - cost) end
      return (packSliding(recordId, window, index, current, previous))
    end
    local newest, counts = readStrict(value, place)
    local back = newest - newestPart(window, stamp) + 1
    if counts[back] then counts[back] = max(0, counts[back] - cost) end
    return (packStrict(recordId, window, newest, counts))
  end

  -- Gives back what is pending past its deadline: nobody is going to confirm it.
  function R.resolvePending(k)
    local value = values[k]
    local overdue, records, left = {}, {}, false
    local readable = eachRecord(value, function(kind, place)
      if kind ~= PENDING then return end
      local deadline, recordId, cost, stamp = unpackBytes('<I6I6I5I6', value, place + 7)
      if deadline > now then left = true else overdue[#overdue + 1] = { recordId, cost, stamp, place } end
    end)
    fields[k] = nil
    if not readable or #overdue == 0 then return end
    local dropped, changed = {}, {}
    for _, one in ipairs(overdue) do
      dropped[one[4]] = true
      eachRecord(value, function(kind, place)
        if kind == PENDING or unpackBytes('<I6', value, place + 1) ~= one[1] or changed[place] == '' then return end
        changed[place] = giveBack(changed[place] or value, changed[place] and 1 or place, one[2], one[3]) or ''
      end)
    end
    eachRecord(value, function(_, place, bytes)
      if not dropped[place] then records[#records + 1] = changed[place] or sub(value, place, place + bytes - 1) end
    end)
    values[k] = sub(value, 1, HEADER_BYTES) .. table.concat(records)
    hasPending[k], dirty[k] = left, true
  end

  -- Remembers a charge of this call as pending.
  function R.addPending(s, d, cost, chargeId, deadline)
    local k = keyOf[s]
    newPending[k] = (newPending[k] or '') .. packBytes('<Bc6I6I6I5I6', PENDING, chargeId, deadline, id[d], cost, now)
  end

  -- Ends a pending charge: true when it was there.
  local function endPending(s, d, chargeId)
    local k, found = keyOf[s], false
    if not hasPending[k] then return false end
    local settled = settledPending[k] or {}
    settledPending[k] = settled
    eachRecord(values[k], function(kind, place)
      if kind ~= PENDING then return end
      local pendingId, _, recordId = unpackBytes('<c6I6I6', values[k], place + 1)
      if pendingId == chargeId and recordId == id[d] then found, settled[place] = true, true end
    end)
    return found
  end

  -- The charge holds. Where it was given back in the meantime, it is taken again, whatever room there is.
  function R.confirm(s, d, cost, stamp, chargeId)
    if shape[d] == LIST then
      correctEntry(s, d, chargeId, 0)
      if stamp + first[d] > now then addEntry(s, stamp + first[d], cost, chargeId) end
    elseif not endPending(s, d, chargeId) then
      if shape[d] == BUCKET then used[s] = used[s] + cost * periodOf[s] else correctWindow(s, d, stamp, cost) end
    end
  end

  -- Another slot has refused: everything back, if it is still there.
  function R.cancel(s, d, cost, stamp, chargeId)
    if shape[d] == LIST then
      correctEntry(s, d, chargeId, 0)
    elseif endPending(s, d, chargeId) then
      R.correct(s, d, stamp, chargeId, cost, 0)
    end
  end

  -- Writes a value and the expiry of its key.
  local function setWithExpiry(k, head, version, fourth, rest, emptyAt)
    local ttl = ceil((emptyAt - now) * 1.25) + 10000
    if injectedTime then ttl = max(ttl, 3600000) end
    local seconds = min(MAX_SECONDS, floor((now + ttl) / 1000))
    local value = packBytes(head, version, now, seconds, fourth) .. rest
    redis.call('SET', KEYS[k], value, 'PX', string.format('%.0f', ttl))
  end

  local function set(k, head, version, fourth, rest, emptyAt)
    if values[k] and expiresAt[k] * 1000 >= emptyAt then
      redis.call('SET', KEYS[k], packBytes(head, version, now, expiresAt[k], fourth) .. rest, 'KEEPTTL')
    else
      setWithExpiry(k, head, version, fourth, rest, emptyAt)
    end
  end

  local function writeList(k, s)
    if body[s] ~= '' then
      set(k, '<BI6I4I6', LIST_VERSION, used[s], body[s], listEmptyAt(s))
    elseif values[k] then
      redis.call('DEL', KEYS[k])
    end
  end

  -- Appends the records that nobody asked for, without those that are empty; where there are too many, without those
  -- that are empty soonest. Returns the first and the last time at which one of them is.
  local function sweepOthers(value, records, places)
    local others = {}
    eachRecord(value, function(kind, place, bytes)
      local recordId, emptyAt = unpackBytes('<I6I6', value, place + 1)
      if kind ~= PENDING and not places[place] and emptyAt > now then
        others[#others + 1] = { emptyAt = emptyAt, id = recordId, text = sub(value, place, place + bytes - 1) }
      end
    end)
    local room = max(0, MAX_RECORDS - #records)
    if #others > room then
      table.sort(others, function(a, b)
        if a.emptyAt ~= b.emptyAt then return a.emptyAt > b.emptyAt end
        return a.id > b.id
      end)
    end
    local earliest, latest = math.huge, 0
    for i = 1, min(#others, room) do
      records[#records + 1] = others[i].text
      earliest, latest = min(earliest, others[i].emptyAt), max(latest, others[i].emptyAt)
    end
    return earliest, latest
  end

  -- Writes partition k, whatever is in it.
  function R.write(k, from, definitions)
    local value = values[k]
    if shape[definitions[1]] == LIST then return writeList(k, from) end
    if fields[k] then
      -- Its records were all read at once, one after the other.
      local place = HEADER_BYTES + 1
      for s = from, from + #definitions - 1 do
        position[s] = place
        place = place + RECORD_BYTES[byte(value, place)]
      end
      expiresAt[k], sweepAt[k] = unpackBytes('<I4I4', value, 8)
    end
    local records, places = {}, {}
    local covered, earliest, latest, inserted = HEADER_BYTES, math.huge, 0, false
    for s = from, from + #definitions - 1 do
      local place = position[s]
      local bytes = place and RECORD_BYTES[byte(value, place)] or 0
      covered = covered + bytes
      if place then places[place] = true end
      if touched[s] then
        local record, emptyAt = packRecord(s)
        if record then
          records[#records + 1] = record
          earliest, latest = min(earliest, emptyAt), max(latest, emptyAt)
          inserted = inserted or not place
        end
      elseif place then
        local emptyAt = unpackBytes('<I6', value, place + 7)
        if emptyAt > now then
          records[#records + 1] = sub(value, place, place + bytes - 1)
          earliest, latest = min(earliest, emptyAt), max(latest, emptyAt)
        end
      end
    end
    if value and covered < #value then
      if inserted or now >= sweepAt[k] * 1000 then
        local otherEarliest, otherLatest = sweepOthers(value, records, places)
        earliest, latest = min(earliest, otherEarliest), max(latest, otherLatest)
      else
        earliest = min(earliest, sweepAt[k] * 1000)
        eachRecord(value, function(kind, place, bytes)
          if kind ~= PENDING and not places[place] then records[#records + 1] = sub(value, place, place + bytes - 1) end
        end)
      end
    end
    local version = 1
    if hasPending[k] and value then
      local settled = settledPending[k] or {}
      eachRecord(value, function(kind, place, bytes)
        if kind ~= PENDING or settled[place] then return end
        records[#records + 1] = sub(value, place, place + bytes - 1)
        version = PENDING_VERSION
      end)
    end
    if newPending[k] then
      records[#records + 1] = newPending[k]
      version = PENDING_VERSION
    end
    -- The key has to outlive every deadline.
    if version == PENDING_VERSION then latest = max(latest, now + 60000) end
    if #records > 0 then
      set(k, '<BI6I4I4', version, min(MAX_SECONDS, floor(earliest / 1000)), table.concat(records), latest)
    elseif value then
      redis.call('DEL', KEYS[k])
    end
  end

  return R
end

local offset = 3
for d = 1, unpackBytes('<H', request) do
  shape[d], leaky[d], leases[d], shadow[d], countDenied[d], id[d], capacity[d], first[d], second[d], maxDebt[d], maxDelayMs[d], offset =
    unpackBytes('<BBBBBI6I7I5I5I7I5', request, offset)
  if shape[d] < BUCKET or shape[d] > LIST or capacity[d] < 1 or first[d] < 1 or (shape[d] == BUCKET and second[d] < 1) then
    return redis.error_reply('TOLLGATE a limit has bad parameters')
  end
end

local groups
groups, offset = unpackBytes('<H', request, offset)
for g = 1, groups do
  local count = unpackBytes('<B', request, offset)
  local definitions = { unpackBytes('<' .. string.rep('H', count), request, offset + 1) }
  definitions[count + 1] = nil
  offset = offset + 1 + 2 * count
  local formats, bytes = { '<BI6I4I4' }, HEADER_BYTES
  for i = 1, count do
    local kind = shape[definitions[i]]
    formats[i + 1] = RECORD_FORMATS[kind]
    -- No value has negative bytes: one with other shapes is never read in one call.
    bytes = kind <= SLIDING and bytes + RECORD_BYTES[kind] or -math.huge
  end
  definitionsOf[g], bytesOf[g] = definitions, bytes
  if bytes > 0 then formatOf[g] = table.concat(formats) end
end
groupOf = { unpackBytes('<' .. string.rep('H', #KEYS), request, offset) }
offset = offset + 2 * #KEYS

-- One time for all partitions: the clock, or the latest stored time that is less than five seconds ahead of it.
clock = injectedTime
if ARGV[2] ~= '' then
  -- A number that is none would make every comparison false, and a caller unlimited.
  if not clock or clock < 0 or clock > MAX_TIME or clock % 1 ~= 0 then
    return redis.error_reply('TOLLGATE the time is not a whole number of milliseconds')
  end
else
  local time = redis.call('TIME')
  clock = time[1] * 1000 + (time[2] - time[2] % 1000) / 1000
end
now = clock
values = redis.call('MGET', unpack(KEYS))
for k = 1, #KEYS do
  local value = values[k]
  if value and #value >= HEADER_BYTES then
    local version, seen
    local g = groupOf[k]
    if #value == bytesOf[g] then
      local read = { unpackBytes(formatOf[g], value) }
      fields[k], version, seen = read, read[1], read[2]
    else
      version, seen, expiresAt[k], sweepAt[k] = unpackBytes('<BI6I4I4', value)
    end
    if version ~= 1 and not rare().isReadable(k) then
      values[k], fields[k] = false, nil
    elseif seen > clock + MAX_AHEAD_MS then
      rare().rebase(k, seen)
    elseif seen > now then
      now = seen
    end
  elseif value or redis.call('EXISTS', KEYS[k]) == 1 then
    -- MGET passes over keys of another type.
    repaired = repaired + 1
    values[k] = false
  end
end

-- Loads the slots of partition k, which start with `s`, from fields that one call has read; false when those turn out to
-- be of other records.
local function loadFields(read, s, definitions)
  local at = 5
  for i = 1, #definitions do
    local d = definitions[i]
    local kind = shape[d]
    if read[at] ~= kind or read[at + 1] ~= id[d] then return false end
    local emptyAt, window = read[at + 2], read[at + 3]
    if window < 1 then return false end
    position[s] = true
    if kind == SLIDING then
      local passed = (now - now % window) / window - (emptyAt / window - 2)
      if passed == 0 then
        used[s], extra[s] = read[at + 4], read[at + 5]
      elseif passed == 1 then
        used[s], extra[s] = 0, read[at + 4]
      else
        used[s], extra[s] = 0, 0
      end
      at = at + 6
    elseif kind == BUCKET then
      if read[at + 4] < 1 then return false end
      if emptyAt > now then
        -- What was taken drains at the refill rate.
        local taken, amount = read[at + 5], window
        local refilled = (now - emptyAt + (taken + -taken % amount) / amount) * amount
        used[s], extra[s], amountOf[s], periodOf[s] = refilled > 0 and taken - refilled or taken, 0, amount, read[at + 4]
      else
        used[s], extra[s], amountOf[s], periodOf[s] = 0, 0, first[d], second[d]
      end
      at = at + 6
    else
      used[s] = emptyAt > now and read[at + 4] or 0
      at = at + 5
    end
    s = s + 1
  end
  return true
end

-- The slots of partition k start with firstSlot[k].
firstSlot = { 1 }
do
  local s = 1
  for k = 1, #KEYS do
    if hasPending[k] then rare().resolvePending(k) end
    local definitions = definitionsOf[groupOf[k]]
    for i = 1, #definitions do
      keyOf[s + i - 1], definitionOf[s + i - 1] = k, definitions[i]
    end
    local read = fields[k]
    if not (read and loadFields(read, s, definitions)) then
      if read then expiresAt[k], sweepAt[k], fields[k] = read[3], read[4], nil end
      rare().load(k, s, definitions)
    end
    s = s + #definitions
    firstSlot[k + 1] = s
  end
end

-- Whether the counter in slot s has room for `cost`.
local function admits(s, d, cost)
  if cost == 0 then return true end
  local kind = shape[d]
  if kind == SLIDING then
    local sum, previous = used[s] + cost, extra[s]
    if previous > 0 then
      -- The previous window counts by the share that the true window still overlaps, rounded up.
      local window = first[d]
      local scaled = previous * (window - now % window)
      sum = sum + (scaled + -scaled % window) / window
    end
    return sum <= capacity[d]
  elseif kind == BUCKET then
    if cost > capacity[d] then return false end
    local period = second[d]
    local lacks = cost * period - (capacity[d] * period - used[s] - extra[s])
    if lacks <= 0 then return true end
    if maxDelayMs[d] == 0 then return false end
    local ahead = leaky[d] == 1 and used[s] + extra[s] or lacks
    return math.ceil(ahead / first[d]) <= maxDelayMs[d]
  end
  return used[s] + cost <= capacity[d]
end

-- Goes over to the rate that the limit has now. It is written even if nothing is charged, or the wait that is told now
-- would not hold.
local function adoptRate(s, d, cost)
  if amountOf[s] == first[d] and periodOf[s] == second[d] then return end
  rare().adoptRate(s, d)
  if cost > 0 and position[s] then touched[s] = true end
end

-- Appends the numbers of one limit to the reply at n, as src/limiter/describe.ts reads them; returns the next n.
local function report(reply, n, s, d, cost, room)
  local kind = shape[d]
  reply[n] = room and used[s] or -1 - used[s]
  if kind == SLIDING or kind == BUCKET then
    reply[n + 1] = extra[s]
    return n + 2
  elseif kind == FIXED then
    return n + 1
  end
  reply[n + 1], reply[n + 2] = rare().times(s, d, cost, room)
  return n + 3
end

-- Puts the slots of partition k, from s on, back into the fields they were read from; false when that is not all there
-- is to write. The expiry stays when it is late enough, because setting it costs as much as the value.
local function writeFields(k, s, definitions)
  if newPending[k] then return false end
  local read = fields[k]
  local at, earliest, latest = 5, math.huge, 0
  for i = 1, #definitions do
    local taken = used[s]
    if not touched[s] or taken <= 0 then return false end
    local kind, emptyAt = read[at], nil
    local fieldCount = 6
    if kind == BUCKET then
      if extra[s] > 0 then return false end
      local amount = amountOf[s]
      emptyAt = now + (taken + -taken % amount) / amount
      read[at + 3], read[at + 4], read[at + 5] = amount, periodOf[s], taken
    else
      local window = read[at + 3]
      emptyAt = now - now % window + window
      read[at + 4] = taken
      if kind == SLIDING then
        emptyAt = emptyAt + window
        read[at + 5] = extra[s]
      else
        fieldCount = 5
      end
    end
    read[at + 2] = emptyAt
    if emptyAt < earliest then earliest = emptyAt end
    if emptyAt > latest then latest = emptyAt end
    at = at + fieldCount
    s = s + 1
  end
  if read[3] * 1000 < latest or earliest > 4e12 then return false end
  read[2], read[4] = now, (earliest - earliest % 1000) / 1000
  redis.call('SET', KEYS[k], packBytes(formatOf[groupOf[k]], unpack(read, 1, at - 1)), 'KEEPTTL')
  return true
end

local function writeAll()
  for k = 1, #KEYS do
    local write = dirty[k]
    for s = firstSlot[k], firstSlot[k + 1] - 1 do write = write or touched[s] end
    if write then
      local definitions = definitionsOf[groupOf[k]]
      if not (fields[k] and writeFields(k, firstSlot[k], definitions)) then rare().write(k, firstSlot[k], definitions) end
    end
  end
end
