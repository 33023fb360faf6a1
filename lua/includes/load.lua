-- Reads partitions that are not just what one group asks for, into the state of this call.

-- The bytes of a value that no version of these scripts wrote count as no value.
function slowPath.isReadable(k)
  hasPending[k] = byte(values[k], 1) == VERSION.PENDING
  local readable = isReadable(values[k])
  if not readable then repaired = repaired + 1 end
  return readable
end

-- The clock that wrote partition k ran ahead and was set back.
function slowPath.rebase(k, from)
  local isList = byte(values[k], 1) == VERSION.LIST
  values[k] = (isList and rebaseList or rebaseRecords)(values[k], from, clock)
  expiresAt[k], sweepAt[k], fields[k], dirty[k] = 0, 0, nil, true
  rebased = rebased + 1
end

-- Refunds what is pending past its deadline.
function slowPath.resolvePending(k)
  local value, left = withoutOverdue(values[k], now)
  local read = fields[k]
  if read then expiresAt[k], sweepAt[k], fields[k] = read[1 + HEADER.EXPIRES_AT], read[1 + HEADER.SWEEP_AT], nil end
  if value then values[k], hasPending[k], dirty[k] = value, left, true end
end

local function loadList(s, k)
  local value = values[k]
  body[s], used[s] = '', 0
  if not value then return end
  if byte(value, 1) ~= VERSION.LIST then
    repaired = repaired + 1
    return
  end
  body[s], used[s] = liveEntries(value, now)
end

local function loadRecord(s, d, value, place)
  local kind = shape[d]
  if kind == KIND.BUCKET then
    local _, emptyAt, amount, period, taken, debt = readBucket(value, place)
    -- A full bucket is as good as none: its rate is that of the limit.
    if emptyAt > now then
      amountOf[s], periodOf[s] = amount, period
      used[s], debtOf[s] = refill(taken, debt, amount, emptyAt, now)
    end
  elseif kind == KIND.SLIDING then
    local _, window, index, current, previous = readSliding(value, place)
    local passed = floor(now / window) - index
    if passed == 0 then
      used[s], previousOf[s] = current, previous
    elseif passed == 1 then
      previousOf[s] = current
    end
  else
    local _, _, _, count, isOver = readFixed(value, place, now)
    if not isOver then used[s] = count end
  end
end

local function loadStrict(s, d, value, place)
  local newest, counts, _ = 0, {}, nil
  if place then _, _, newest, counts = readStrict(value, place) end
  parts[s], used[s] = refreshStrict(first[d], now, newest, counts)
end

-- Loads the counters of partition k from wherever their records are.
function slowPath.load(k, from, definitions)
  local value = values[k]
  if shape[definitions[1]] == KIND.LIST then return loadList(from, k) end
  local places = {}
  local function note(kind, place)
    if kind ~= KIND.PENDING then places[unpackBytes(RECORD.FORMAT_OF_ID, value, place + RECORD.BYTE_OF_ID)] = place end
  end
  if value and not eachRecord(value, note) then
    repaired = repaired + 1
    value, places, values[k] = false, {}, false
  end
  for i, d in ipairs(definitions) do
    local s = from + i - 1
    local place = places[id[d]]
    local kind = place and byte(value, place)
    if kind == KIND.BUCKET_IN_DEBT then kind = KIND.BUCKET end
    if kind ~= shape[d] then place = nil end
    position[s] = place
    used[s], debtOf[s], previousOf[s] = 0, 0, 0
    if shape[d] == KIND.BUCKET then amountOf[s], periodOf[s] = first[d], second[d] end
    if shape[d] == KIND.STRICT then
      loadStrict(s, d, value, place)
    elseif place then
      loadRecord(s, d, value, place)
    end
  end
end
