-- Shared by charge.lua, settle.lua and peek.lua, which include this text. Read all, decide, write all: nothing is
-- written before everything was read and decided, because a script that fails after its first write is not undone.
--
-- KEYS     the partitions, each once
-- ARGV[1]  the request: definitions of limits, then what the script does with them (see src/limiter/wire.ts)
-- ARGV[2]  the time in epoch milliseconds, or '' for the clock of this server
--
-- All numbers are whole; times are milliseconds. A partition is one string, little-endian:
--   version 1, time of the last write 6, expiry of the key in seconds 4, second of the next sweep 4, records
-- A record starts with its kind 1, id 6 and the time at which it is empty 6, and goes on with
--   bucket            refill amount 5, refill period 5, used 7 [, debt 7]
--   fixed window      window 5, count 5
--   sliding window    window 5, current 5, previous 5
--   strict window     window 5, eleven parts 5 each, newest first
--   pending charge    (its id stands in front) id of the record 6, cost 5, time of the charge 6, amount that is left 5
-- The times that an algorithm needs follow from the time at which its record is empty. A list (log, leases) has a key
-- of its own:
--   version 1, time of the last write 6, expiry in seconds 4, sum 6, entries (end 6, cost 5, charge id 6) by their ends

local unpackBytes, packBytes = struct.unpack, struct.pack
local sub, byte = string.sub, string.byte
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max

local BUCKET, FIXED, SLIDING, STRICT, LIST = 1, 2, 3, 4, 5
local BUCKET_IN_DEBT, PENDING = 6, 7
local RECORD_BYTES = { 30, 23, 28, 73, [6] = 37, [7] = 35 }
local HEADER_BYTES, LIST_HEADER_BYTES, ENTRY_BYTES = 15, 17, 17
local PARTITION_VERSION, PENDING_VERSION, LIST_VERSION = 1, 129, 2
local STRICT_PARTS, MAX_RECORDS, MAX_ENTRIES = 10, 64, 10000
local MAX_UNITS, MAX_COUNT, MAX_SECONDS = 2 ^ 52, 2 ^ 40 - 1, 2 ^ 32 - 1
local MAX_AHEAD_MS = 5000
local STRICT_FORMAT = '<' .. string.rep('I5', STRICT_PARTS + 1)

-- Definitions of limits, in arrays by number.
local shape, leaky, leases, shadow, countDenied, id, capacity = {}, {}, {}, {}, {}, {}, {}
local windowMs, refillAmount, refillPeriodMs, maxDebt, maxDelayMs, counterOf = {}, {}, {}, {}, {}, {}

local request, injectedTime = ARGV[1], tonumber(ARGV[2])
local offset = 1

local function readDefinitions()
  local count
  local seen = {}
  count, offset = unpackBytes('<H', request, offset)
  for d = 1, count do
    local flags, first, second
    shape[d], flags, id[d], capacity[d], first, second, maxDebt[d], maxDelayMs[d], offset =
      unpackBytes('<BBc6I7I5I5I7I5', request, offset)
    leaky[d] = flags % 2 == 1
    leases[d] = flags % 4 >= 2
    shadow[d] = flags % 8 >= 4
    countDenied[d] = flags % 16 >= 8
    windowMs[d], refillAmount[d], refillPeriodMs[d] = first, first, second
    if shape[d] < BUCKET or shape[d] > LIST or first < 1 or capacity[d] < 1 or (shape[d] == BUCKET and second < 1) then
      return false
    end
    -- Two variants of one limit (an edit, two tiers) are one counter.
    counterOf[d] = seen[id[d]] or d
    seen[id[d]] = counterOf[d]
  end
  return true
end

-- Partitions, in arrays by the number of their key.
local values, seenAt, expiresAt, sweepAt, cursor = {}, {}, {}, {}, {}
local slotsOf, dirty = {}, {}
local clock, now
local repaired, rebased = 0, 0

-- Counters in use, in arrays by slot: where they are, and their state brought up to `now` (as in src/limiter/counter.ts).
local slots, slotOf = 0, {}
local definitionOf, position, touched = {}, {}, {}
local used, extra, amountOf, periodOf, parts, body = {}, {}, {}, {}, {}, {}

-- Buckets: what was taken drains at the refill rate; debt is paid first.

local function refreshBucket(elapsedMs, amount, taken, debt)
  local refilled = max(0, elapsedMs) * amount
  local paid = min(debt, refilled)
  return max(0, taken - (refilled - paid)), debt - paid
end

-- Units of 1/from in units of 1/to, rounded up; past the exact integers one unit makes up for the rounding error.
local function rescale(units, from, to)
  if from == to or units == 0 then return units end
  local tokens = floor(units / from)
  local rest = (units - tokens * from) * to
  local part = ceil(rest / from)
  if rest > 2 ^ 53 then part = min(to, part + 1) end
  return min(MAX_UNITS, tokens * to + part)
end

-- Goes over to the rate of a limit; true when that is another one.
local function adoptRate(s, d)
  local amount, period = refillAmount[d], refillPeriodMs[d]
  if amountOf[s] == amount and periodOf[s] == period then return false end
  used[s] = rescale(used[s], periodOf[s], period)
  extra[s] = rescale(extra[s], periodOf[s], period)
  amountOf[s], periodOf[s] = amount, period
  return true
end

local function bucketAdmits(s, d, cost)
  if cost > capacity[d] then return false end
  local period = refillPeriodMs[d]
  local lacks = cost * period - (capacity[d] * period - used[s] - extra[s])
  if lacks <= 0 then return true end
  if maxDelayMs[d] == 0 then return false end
  return ceil((leaky[d] and used[s] + extra[s] or lacks) / refillAmount[d]) <= maxDelayMs[d]
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

local function packBucket(recordId, amount, period, at, taken, debt)
  if taken + debt <= 0 then return nil, 0 end
  local emptyAt = at + ceil((taken + debt) / amount)
  if debt > 0 then
    return packBytes('<Bc6I6I5I5I7I7', BUCKET_IN_DEBT, recordId, emptyAt, amount, period, taken, debt), emptyAt
  end
  return packBytes('<Bc6I6I5I5I7', BUCKET, recordId, emptyAt, amount, period, taken), emptyAt
end

-- Returns amount, period, time, taken, debt.
local function readBucket(value, place)
  local emptyAt, amount, period, taken, next = unpackBytes('<I6I5I5I7', value, place + 7)
  local debt = 0
  if byte(value, place) == BUCKET_IN_DEBT then debt = unpackBytes('<I7', value, next) end
  if amount < 1 or period < 1 then return 1, 1, now, 0, 0 end
  return amount, period, emptyAt - ceil((taken + debt) / amount), taken, debt
end

-- Windows, aligned to the epoch.

local function slidingUsed(window, current, previous)
  if previous == 0 then return current end
  return current + ceil(previous * (window - now % window) / window)
end

local function packFixed(recordId, window, index, count)
  if count <= 0 then return nil, 0 end
  local emptyAt = (index + 1) * window
  return packBytes('<Bc6I6I5I5', FIXED, recordId, emptyAt, window, count), emptyAt
end

local function packSliding(recordId, window, index, current, previous)
  if current <= 0 then
    if previous <= 0 then return nil, 0 end
    index, current, previous = index - 1, previous, 0
  end
  local emptyAt = (index + 2) * window
  return packBytes('<Bc6I6I5I5I5', SLIDING, recordId, emptyAt, window, current, previous), emptyAt
end

-- Counts of the window that `index` is and of the one before, from those stored for window `at`.
local function refreshSliding(index, at, current, previous)
  if index == at then return current, previous end
  return 0, index == at + 1 and current or 0
end

local function partMsOf(window) return ceil(window / STRICT_PARTS) end

local function partEndsAt(window, index) return (index + 1) * partMsOf(window) + window - 1 end

-- Counts of the parts that a window ending at `time` can reach into, newest first, and their sum.
local function refreshStrict(window, time, at, counts)
  local partMs = partMsOf(window)
  local newest, oldest = floor(time / partMs), floor((time - window + 1) / partMs)
  local fresh, sum = {}, 0
  for back = 0, STRICT_PARTS do
    local count = newest - back >= oldest and counts[back - (newest - at) + 1] or 0
    fresh[back + 1] = count
    sum = sum + count
  end
  return fresh, sum
end

local function strictEmptyAt(window, newest, counts)
  for back = 0, STRICT_PARTS do
    if counts[back + 1] > 0 then return partEndsAt(window, newest - back), back end
  end
  return 0
end

local function packStrict(recordId, window, newest, counts)
  local emptyAt, skipped = strictEmptyAt(window, newest, counts)
  if emptyAt == 0 then return nil, 0 end
  local kept = {}
  for back = 0, STRICT_PARTS do kept[back + 1] = counts[back + skipped + 1] or 0 end
  local head = packBytes('<Bc6I6I5', STRICT, recordId, emptyAt, window)
  return head .. packBytes(STRICT_FORMAT, unpack(kept)), emptyAt
end

-- Returns window, newest part, counts.
local function readStrict(value, place)
  local emptyAt, window, next = unpackBytes('<I6I5', value, place + 7)
  if window < 1 then return 1, 0, {} end
  return window, (emptyAt - window + 1) / partMsOf(window) - 1, { unpackBytes(STRICT_FORMAT, value, next) }
end

local function strictRetryAt(s, d, cost)
  local newest = floor(now / partMsOf(windowMs[d]))
  local sum = used[s]
  for back = STRICT_PARTS, 0, -1 do
    sum = sum - parts[s][back + 1]
    if sum + cost <= capacity[d] then return partEndsAt(windowMs[d], newest - back) end
  end
  return 0
end

local function correctWindow(s, d, stamp, difference)
  local window = windowMs[d]
  if shape[d] == STRICT then
    local back = floor(now / partMsOf(window)) - floor(stamp / partMsOf(window))
    local count = parts[s][back + 1]
    if back < 0 or not count then return end
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
  local corrected = leases[d] and 0 or actual
  local entry = corrected > 0 and packBytes('<I6I5c6', endsAt, corrected, chargeId) or ''
  body[s] = sub(entries, 1, place - 1) .. entry .. sub(entries, place + ENTRY_BYTES)
  used[s] = used[s] + corrected - cost
end

local function listRetryAt(s, d, cost)
  local sum = used[s]
  for place = 1, #body[s], ENTRY_BYTES do
    local endsAt, entryCost = unpackBytes('<I6I5', body[s], place)
    sum = sum - entryCost
    if leases[d] or sum + cost <= capacity[d] then return endsAt end
  end
  return 0
end

local function listEmptyAt(s)
  local size = #body[s]
  return size > 0 and unpackBytes('<I6', body[s], size - ENTRY_BYTES + 1) or 0
end

-- Reading partitions.

local function isReadable(value)
  local version, size = byte(value, 1), #value
  if version == PARTITION_VERSION or version == PENDING_VERSION then return size >= HEADER_BYTES end
  return version == LIST_VERSION and size >= LIST_HEADER_BYTES and (size - LIST_HEADER_BYTES) % ENTRY_BYTES == 0
end

-- Calls visit(kind, place, bytes) for every record; false when the bytes do not add up.
local function eachRecord(value, visit)
  local place, size = HEADER_BYTES + 1, #value
  while place <= size do
    local kind = byte(value, place)
    local bytes = RECORD_BYTES[kind]
    if not bytes or place + bytes - 1 > size then return false end
    visit(kind, place, bytes)
    place = place + bytes
  end
  return true
end

-- The clock that wrote partition k ran ahead and was set back: its state is brought up to the old time and goes on from
-- the new one, without a refill for the jump.
local function rebase(k)
  local value, from = values[k], seenAt[k]
  local records = {}
  if byte(value, 1) == LIST_VERSION then
    local sum = 0
    for place = LIST_HEADER_BYTES + 1, #value, ENTRY_BYTES do
      local endsAt, cost, chargeId = unpackBytes('<I6I5c6', value, place)
      if endsAt > from then
        records[#records + 1] = packBytes('<I6I5c6', endsAt - from + clock, cost, chargeId)
        sum = sum + cost
      end
    end
    values[k] = packBytes('<BI6I4I6', LIST_VERSION, clock, 0, sum) .. table.concat(records)
  else
    eachRecord(value, function(kind, place, bytes)
      local recordId = sub(value, place + 1, place + 6)
      local emptyAt, window, current, previous = unpackBytes('<I6I5I5', value, place + 7)
      local record
      if kind == BUCKET or kind == BUCKET_IN_DEBT then
        local amount, period, at, taken, debt = readBucket(value, place)
        taken, debt = refreshBucket(from - at, amount, taken, debt)
        record = packBucket(recordId, amount, period, clock, taken, debt)
      elseif kind ~= PENDING and window < 1 then
        return
      elseif kind == FIXED then
        if emptyAt > from then record = packFixed(recordId, window, floor(clock / window), current) end
      elseif kind == SLIDING then
        previous = unpackBytes('<I5', value, place + 23)
        current, previous = refreshSliding(floor(from / window), emptyAt / window - 2, current, previous)
        record = packSliding(recordId, window, floor(clock / window), current, previous)
      elseif kind == STRICT then
        local strictWindow, newest, counts = readStrict(value, place)
        counts = refreshStrict(strictWindow, from, newest, counts)
        record = packStrict(recordId, strictWindow, floor(clock / partMsOf(strictWindow)), counts)
      else
        record = sub(value, place, place + 6) .. packBytes('<I6', emptyAt - from + clock) .. sub(value, place + 13, place + bytes - 1)
      end
      records[#records + 1] = record
    end)
    values[k] = packBytes('<BI6I4I4', byte(value, 1), clock, 0, 0) .. table.concat(records)
  end
  seenAt[k], expiresAt[k], sweepAt[k] = clock, 0, 0
  dirty[k] = true
  rebased = rebased + 1
end

-- One time for all partitions: the clock, or the latest stored time that is less than five seconds ahead of it.
local function readPartitions()
  clock = injectedTime
  if not clock then
    local time = redis.call('TIME')
    clock = time[1] * 1000 + floor(time[2] / 1000)
  end
  now = clock
  values = redis.call('MGET', unpack(KEYS))
  for k = 1, #KEYS do
    local value = values[k]
    slotsOf[k] = {}
    if value and not isReadable(value) then value = nil; repaired = repaired + 1 end
    if not value then
      -- MGET passes over keys of another type.
      if values[k] == false and redis.call('EXISTS', KEYS[k]) == 1 then repaired = repaired + 1 end
      values[k], seenAt[k], expiresAt[k], sweepAt[k] = false, 0, 0, 0
    else
      local version, seen
      version, seen, expiresAt[k], sweepAt[k] = unpackBytes('<BI6I4I4', value)
      seenAt[k], cursor[k] = seen, HEADER_BYTES + 1
      if seen > clock + MAX_AHEAD_MS then
        rebase(k)
      elseif seen > now then
        now = seen
      end
    end
  end
end

-- Where the record of definition d is, or nil. Mostly they are asked for in the order in which they are stored.
local function find(k, d)
  local value, place = values[k], cursor[k]
  if not value then return nil end
  local recordId, size = id[d], #value
  local kind = byte(value, place)
  local bytes = RECORD_BYTES[kind]
  if bytes and sub(value, place + 1, place + 6) == recordId and place + bytes - 1 <= size and kind ~= PENDING then
    cursor[k] = place + bytes
    return place
  end
  local found
  local readable = eachRecord(value, function(kind, at)
    if kind ~= PENDING and sub(value, at + 1, at + 6) == recordId then found = at end
  end)
  if not readable then
    repaired = repaired + 1
    values[k] = false
    for _, s in ipairs(slotsOf[k]) do position[s], touched[s] = nil, true end
    return nil
  end
  if found then cursor[k] = found + RECORD_BYTES[byte(value, found)] end
  return found
end

local function loadList(s, k)
  local value = values[k]
  body[s], used[s] = '', 0
  if not value or byte(value, 1) ~= LIST_VERSION then return end
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

-- The slot of definition d in partition k, its state brought up to `now`.
local function load(k, d)
  local key = k * 65536 + counterOf[d]
  local s = slotOf[key]
  if s then return s end
  slots = slots + 1
  s = slots
  slotOf[key], definitionOf[s] = s, d
  local list = slotsOf[k]
  list[#list + 1] = s
  local kind = shape[d]
  if kind == LIST then
    loadList(s, k)
    return s
  end
  local place = find(k, d)
  position[s] = place
  local value = values[k]
  if kind == BUCKET then
    if place then
      local at, taken, debt
      amountOf[s], periodOf[s], at, taken, debt = readBucket(value, place)
      used[s], extra[s] = refreshBucket(now - at, amountOf[s], taken, debt)
    else
      amountOf[s], periodOf[s], used[s], extra[s] = refillAmount[d], refillPeriodMs[d], 0, 0
    end
  elseif kind == SLIDING then
    if place then
      local window = windowMs[d]
      local emptyAt, _, current, previous = unpackBytes('<I6I5I5I5', value, place + 7)
      used[s], extra[s] = refreshSliding(floor(now / window), emptyAt / window - 2, current, previous)
    else
      used[s], extra[s] = 0, 0
    end
  elseif kind == FIXED then
    used[s] = 0
    if place then
      local emptyAt, _, count = unpackBytes('<I6I5I5', value, place + 7)
      if emptyAt > now then used[s] = count end
    end
  else
    local window, newest, counts = windowMs[d], 0, {}
    if place then window, newest, counts = readStrict(value, place) end
    parts[s], used[s] = refreshStrict(windowMs[d], now, newest, counts)
  end
  return s
end

-- Deciding.

local function admits(s, d, cost)
  local kind = shape[d]
  if kind == BUCKET then return bucketAdmits(s, d, cost) end
  if kind == SLIDING then return slidingUsed(windowMs[d], used[s], extra[s]) + cost <= capacity[d] end
  return used[s] + cost <= capacity[d]
end

local function touch(k, s)
  touched[s], dirty[k] = true, true
end

local function take(s, d, cost, chargeId)
  local kind = shape[d]
  if kind == BUCKET then
    used[s] = used[s] + cost * periodOf[s]
  elseif kind == LIST then
    addEntry(s, now + windowMs[d], cost, chargeId)
  else
    correctWindow(s, d, now, cost)
  end
end

local function takeDenied(s, d, cost, chargeId)
  if shape[d] == BUCKET then oweToBucket(s, d, cost) else take(s, d, cost, chargeId) end
end

local function correct(s, d, stamp, chargeId, charged, actual)
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

-- Appends the numbers of one limit to the reply, as src/limiter/describe.ts reads them.
local function report(reply, s, d, cost, room)
  local n, kind = #reply, shape[d]
  reply[n + 1] = room and used[s] or -1 - used[s]
  if kind == BUCKET or kind == SLIDING then
    reply[n + 2] = extra[s]
  elseif kind == STRICT then
    reply[n + 2] = strictEmptyAt(windowMs[d], floor(now / partMsOf(windowMs[d])), parts[s])
    reply[n + 3] = room and 0 or strictRetryAt(s, d, cost)
  elseif kind == LIST then
    reply[n + 2] = listEmptyAt(s)
    reply[n + 3] = room and 0 or listRetryAt(s, d, cost)
  end
end

-- Writing partitions.

-- Sets the value; the expiry only when the present one is too early, because setting it costs as much as the value.
local function set(k, head, rest, emptyAt)
  if values[k] and expiresAt[k] * 1000 >= emptyAt then
    redis.call('SET', KEYS[k], head(expiresAt[k]) .. rest, 'KEEPTTL')
    return
  end
  local ttl = ceil((emptyAt - now) * 1.25) + 10000
  if injectedTime then ttl = max(ttl, 3600000) end
  local seconds = min(MAX_SECONDS, floor((now + ttl) / 1000))
  redis.call('SET', KEYS[k], head(seconds) .. rest, 'PX', string.format('%.0f', ttl))
end

local function writeList(k, s)
  if body[s] == '' then
    if values[k] then redis.call('DEL', KEYS[k]) end
    return
  end
  local function head(seconds) return packBytes('<BI6I4I6', LIST_VERSION, now, seconds, used[s]) end
  set(k, head, body[s], listEmptyAt(s))
end

local function packRecord(s)
  local d = definitionOf[s]
  local kind = shape[d]
  if kind == SLIDING then return packSliding(id[d], windowMs[d], floor(now / windowMs[d]), used[s], extra[s]) end
  if kind == BUCKET then return packBucket(id[d], amountOf[s], periodOf[s], now, used[s], extra[s]) end
  if kind == FIXED then return packFixed(id[d], windowMs[d], floor(now / windowMs[d]), used[s]) end
  return packStrict(id[d], windowMs[d], floor(now / partMsOf(windowMs[d])), parts[s])
end

-- Records that nobody asked for, without those that are empty; if there are too many, without those empty soonest.
local function sweepOthers(k, loaded, places, room)
  local value, others = values[k], {}
  eachRecord(value, function(kind, place, bytes)
    if places[place] then return end
    local emptyAt = unpackBytes('<I6', value, place + 7)
    if emptyAt > now then
      others[#others + 1] = { emptyAt = emptyAt, id = sub(value, place + 1, place + 6), text = sub(value, place, place + bytes - 1) }
    end
  end)
  if #others > room then
    table.sort(others, function(a, b)
      if a.emptyAt ~= b.emptyAt then return a.emptyAt > b.emptyAt end
      return a.id > b.id
    end)
  end
  local earliest, latest = math.huge, 0
  for i = 1, min(#others, room) do
    loaded[#loaded + 1] = others[i].text
    earliest, latest = min(earliest, others[i].emptyAt), max(latest, others[i].emptyAt)
  end
  return earliest, latest
end

local function writePartition(k)
  local value, list = values[k], slotsOf[k]
  local first = list[1]
  if first and shape[definitionOf[first]] == LIST then return writeList(k, first) end
  local records, places = {}, {}
  local covered, earliest, latest, inserted = 0, math.huge, 0, false
  for i = 1, #list do
    local s = list[i]
    local place = position[s]
    local bytes = place and RECORD_BYTES[byte(value, place)] or 0
    if touched[s] then
      local record, emptyAt = packRecord(s)
      if record then
        records[#records + 1] = record
        earliest, latest = min(earliest, emptyAt), max(latest, emptyAt)
        inserted = inserted or not place
      end
    elseif place then
      records[#records + 1] = sub(value, place, place + bytes - 1)
      earliest = min(earliest, sweepAt[k] * 1000)
    end
    if place then
      places[place] = true
      covered = covered + bytes
    end
  end
  if value and covered < #value - HEADER_BYTES then
    if inserted or now >= sweepAt[k] * 1000 then
      local otherEarliest, otherLatest = sweepOthers(k, records, places, max(0, MAX_RECORDS - #records))
      earliest, latest = min(earliest, otherEarliest), max(latest, otherLatest)
    else
      earliest = min(earliest, sweepAt[k] * 1000)
      eachRecord(value, function(_, place, bytes)
        if not places[place] then records[#records + 1] = sub(value, place, place + bytes - 1) end
      end)
    end
  end
  if #records == 0 then
    if value then redis.call('DEL', KEYS[k]) end
    return
  end
  local function head(seconds)
    return packBytes('<BI6I4I4', PARTITION_VERSION, now, seconds, min(MAX_SECONDS, floor(earliest / 1000)))
  end
  set(k, head, table.concat(records), latest)
end

local function writeAll()
  for k = 1, #KEYS do
    if dirty[k] then writePartition(k) end
  end
end
