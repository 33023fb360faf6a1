-- Included by rare.lua: charges that wait for the slots of other keys.

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
  local k = keyAt[s]
  newPending[k] = (newPending[k] or '') .. packBytes('<Bc6I6I6I5I6', PENDING, chargeId, deadline, id[d], cost, now)
end

-- Ends a pending charge: true when it was there.
local function endPending(s, d, chargeId)
  local k, found = keyAt[s], false
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

-- The counter is as if it had never been charged: nothing pending gives anything back to it later.
function R.reset(s, d)
  used[s], extra[s] = 0, 0
  if shape[d] == LIST then body[s] = '' end
  if shape[d] == STRICT then
    for back = 1, STRICT_PARTS + 1 do parts[s][back] = 0 end
  end
  local k = keyAt[s]
  if not hasPending[k] then return end
  local settled = settledPending[k] or {}
  settledPending[k] = settled
  eachRecord(values[k], function(kind, place)
    if kind == PENDING and unpackBytes('<I6', values[k], place + 13) == id[d] then settled[place] = true end
  end)
end
