-- Functions of the slow path on the partitions of a call, by number. Only they read and change the
-- state of the call (state.lua). The other includes of the slow path receive the values that they
-- need as arguments.

-- Returns whether a version of these scripts wrote the value of partition k. Any other value is
-- treated as missing.
local function noteReadable(k)
  hasPending[k] = byte(values[k], 1) == VERSION.PENDING
  local readable = isReadable(values[k])
  if not readable then repaired = repaired + 1 end
  return readable
end

-- Rebases partition k, whose writer had a clock that ran ahead and was set back.
local function rebasePartition(k, from)
  values[k] = (isList(values[k]) and shapeOf(KIND.LIST).rebase or rebaseRecords)(values[k], from, clock, now)
  expiresAt[k], sweepAt[k], fields[k], dirty[k] = 0, 0, nil, true
  rebased = rebased + 1
end

-- Refunds pending charges past their deadlines.
local function resolvePending(k)
  local value, left = withoutOverdue(values[k], now)
  local read = fields[k]
  if read then expiresAt[k], sweepAt[k], fields[k] = read[1 + HEADER.EXPIRES_AT], read[1 + HEADER.SWEEP_AT], nil end
  if value then values[k], hasPending[k], dirty[k] = value, left, true end
end

-- Creates tables for the counters of partition k; `from` is the number of the first one.
local function loadPartition(k, from, definitions)
  local loaded, readable
  if parameters[definitions[1] + DEFINITION.SHAPE] == KIND.LIST then
    counters[from], readable = loadList(limitAt(definitions[1]), values[k], now)
  else
    local limits = {}
    for i = 1, #definitions do limits[i] = limitAt(definitions[i]) end
    loaded, readable = loadCounters(limits, values[k], now)
    for i = 1, #loaded do counters[from + i - 1] = loaded[i] end
    if not readable then values[k] = false end
  end
  if not readable then repaired = repaired + 1 end
end

-- Records a charge of this call as pending.
local function addPending(k, recordId, cost, chargeId, deadline)
  newPending[k] = (newPending[k] or '') .. packPending(recordId, cost, chargeId, deadline, now)
end

-- Ends the pending charges on a record: those of one charge, or all if `chargeId` is nil. Returns
-- whether there were any.
local function endPending(k, recordId, chargeId)
  if not hasPending[k] then return false end
  local settled = settledPending[k] or {}
  settledPending[k] = settled
  local places = pendingPlaces(values[k], recordId, chargeId)
  for _, place in ipairs(places) do settled[place] = true end
  return #places > 0
end

-- Confirms a charge. If it was refunded in the meantime, it is charged again, even without room.
local function confirm(k, limit, counter, cost, stamp, chargeId)
  if limit.shape == KIND.LIST then
    shapeOf(KIND.LIST).confirm(limit, counter, now, cost, stamp, chargeId)
  elseif not endPending(k, limit.id, chargeId) then
    shapeOf(limit.shape).takeAgain(limit, counter, now, cost, stamp)
  end
end

-- Confirms a charge again, after the reply to the first confirmation was lost. A charge that is no
-- longer pending although its deadline has not passed was confirmed or settled. After the deadline,
-- it may have been refunded instead, so the charge is made again.
local function confirmAgain(k, limit, counter, cost, stamp, chargeId, pendingMs)
  local isBeforeDeadline = now >= stamp and now < stamp + pendingMs
  if limit.shape == KIND.LIST then
    local isKnown = shapeOf(KIND.LIST).confirmAgain(limit, counter, stamp, chargeId)
    if isKnown or isBeforeDeadline then return end
  elseif endPending(k, limit.id, chargeId) or isBeforeDeadline then
    return
  end
  confirm(k, limit, counter, cost, stamp, chargeId)
end

-- Settles a charge. The settlement also confirms the charge, so that its pending part is not
-- refunded again at the deadline.
local function correct(k, limit, counter, charged, actual, stamp, chargeId)
  if limit.shape ~= KIND.LIST then endPending(k, limit.id, chargeId) end
  shapeOf(limit.shape).correct(limit, counter, now, stamp, chargeId, charged, actual)
end

-- Cancels a charge that another hash slot denied: refunds its pending part, if it still exists.
local function cancel(k, limit, counter, cost, stamp, chargeId)
  if limit.shape == KIND.LIST then
    shapeOf(KIND.LIST).cancel(counter, chargeId)
  elseif endPending(k, limit.id, chargeId) then
    shapeOf(limit.shape).correct(limit, counter, now, stamp, chargeId, cost, 0)
  end
end

-- Empties a counter and removes its pending charges, so that none of them is refunded later.
local function reset(k, limit, counter)
  shapeOf(limit.shape).reset(counter)
  endPending(k, limit.id, nil)
end

-- Writes partition k, whatever it contains.
local function writePartition(k, from, definitions)
  local key, value, leastMs = KEYS[k], values[k], injectedTime and 3600000 or 0
  local expires, sweep, startOf = value and expiresAt[k] or 0, sweepAt[k], nil
  if parameters[definitions[1] + DEFINITION.SHAPE] == KIND.LIST then
    local counter = counters[from]
    local entries, version = counter.entries, VERSION.LIST
    local emptyAt = shapeOf(KIND.LIST).emptyAt(counter.limit, counter, now)
    if counter.meanHold > 0 then
      version, entries = VERSION.HELD_LIST, packBytes(HOLDS.FORMAT, counter.meanHold) .. entries
    end
    if entries ~= '' then
      writeValue(key, LIST_HEADER.FORMAT, version, counter.used, entries, emptyAt, expires, now, leastMs)
    elseif value then
      redis.call('DEL', key)
    end
    return
  end
  if split[k] then
    -- One call has read all its records, so they are in the order of the definitions.
    startOf = placesInOrder(value, #definitions)
    local _
    _, _, expires, sweep = unpackBytes(HEADER.FORMAT, value)
  end
  local records, earliest, latest = packRecords(value, counters, from, from + #definitions - 1, startOf, sweep, now)
  local pending = newPending[k] or ''
  if hasPending[k] and value then pending = leftPending(value, settledPending[k] or {}) .. pending end
  local version = VERSION.RECORDS
  if pending ~= '' then
    -- The key must not expire before any of the deadlines.
    version, latest = VERSION.PENDING, max(latest, now + 60000)
  end
  if records ~= '' or pending ~= '' then
    local sweepSeconds = min(MAX_SECONDS, floor(earliest / 1000))
    writeValue(key, HEADER.FORMAT, version, sweepSeconds, records .. pending, latest, expires, now, leastMs)
  elseif value then
    redis.call('DEL', key)
  end
end
