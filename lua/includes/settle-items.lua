-- Reads the counts of a request of charge.lua, and processes its settlement items: corrects charges
-- to the actual costs, ends pending charges, and empties counters.

local charges, total, items
charges, total, items, offset = unpackBytes('<HHH', request, offset)
for _ = 1, items do
  local action, s, charged, actual, stamp, chargeId
  action, s, charged, actual, stamp, chargeId, offset = unpackBytes(SETTLEMENT.FORMAT, request, offset)
  local k, back = keyAt[s], charged - actual
  if not k or charged > MAX_COST or actual > MAX_COST then
    return redis.error_reply('TOLLGATE a settlement has a bad counter or cost')
  end
  local read, tail, isSimple, found = fields[k], tails[k], false, nil
  if tail and action ~= ACTION.RESET then
    local recordId = parameters[definitionsOf[groupOf[k]][s - firstCounter[k] + 1] + DEFINITION.ID]
    for place = 1, #tail, PENDING.BYTES do
      local _, pendingId, _, ofRecord = unpackBytes(PENDING.FORMAT, tail, place)
      if pendingId == chargeId and ofRecord == recordId then found = place end
    end
  end
  local isConfirmation = action == ACTION.CONFIRM or action == ACTION.CONFIRM_AGAIN
  -- Most items refund a cost to the record that was charged, or confirm a pending charge.
  if found and isConfirmation then
    isSimple = true
  elseif read and (found or action == ACTION.CORRECT) and back >= 0 then
    -- The same as `placeOf` in decide.lua, without creating the functions of `counterPath`.
    local at = 1 + HEADER.SIZE
    for _ = firstCounter[k], s - 1 do
      at = at + (read[at + RECORD.KIND] == KIND.FIXED and FIXED.SIZE or SLIDING.SIZE)
    end
    local kind = read[at + RECORD.KIND]
    if kind == KIND.BUCKET then
      read[at + BUCKET.TAKEN] = math.max(0, read[at + BUCKET.TAKEN] - back * read[at + BUCKET.PERIOD])
      isSimple = true
    else
      local countAt, ends, window = at + SLIDING.CURRENT, read[at + RECORD.EMPTY_AT], read[at + SLIDING.WINDOW]
      if kind == KIND.FIXED then
        countAt, window = at + FIXED.COUNT, read[at + FIXED.WINDOW]
        if window >= CALENDAR_MARK then window = window - CALENDAR_MARK end
      else
        ends = ends - window
      end
      if stamp < ends and stamp >= ends - window then
        read[countAt] = math.max(0, read[countAt] - back)
        isSimple = true
      end
    end
  end
  if isSimple then
    changed[k], stale[k] = true, stale[k] or back > 0 and not isConfirmation
    if found then
      tails[k], newTail[k] = string.sub(tail, 1, found - 1) .. string.sub(tail, found + PENDING.BYTES), true
    end
  else
    local counter = counterPath().open(s)
    local limit = counter.limit
    counter.touched = true
    if action == ACTION.CONFIRM then
      slow().confirm(k, limit, counter, charged, stamp, chargeId)
    elseif action == ACTION.CONFIRM_AGAIN then
      slow().confirmAgain(k, limit, counter, charged, stamp, chargeId, actual)
    elseif action == ACTION.CANCEL then
      slow().cancel(k, limit, counter, charged, stamp, chargeId)
    elseif action == ACTION.RESET then
      slow().reset(k, limit, counter)
    else
      slow().correct(k, limit, counter, charged, actual, stamp, chargeId)
    end
  end
end
