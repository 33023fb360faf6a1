-- Reads partitions that are not just what one group asks for, into the state of this call.

-- The bytes of a value that no version of these scripts wrote count as no value.
local function noteReadable(k)
  hasPending[k] = byte(values[k], 1) == VERSION.PENDING
  local readable = isReadable(values[k])
  if not readable then repaired = repaired + 1 end
  return readable
end

-- The clock that wrote partition k ran ahead and was set back.
local function rebasePartition(k, from)
  local isList = byte(values[k], 1) == VERSION.LIST
  values[k] = (isList and shapeOf(KIND.LIST).rebase or rebaseRecords)(values[k], from, clock)
  expiresAt[k], sweepAt[k], fields[k], dirty[k] = 0, 0, nil, true
  rebased = rebased + 1
end

-- Refunds what is pending past its deadline.
local function resolvePending(k)
  local value, left = withoutOverdue(values[k], now)
  local read = fields[k]
  if read then expiresAt[k], sweepAt[k], fields[k] = read[1 + HEADER.EXPIRES_AT], read[1 + HEADER.SWEEP_AT], nil end
  if value then values[k], hasPending[k], dirty[k] = value, left, true end
end

local function loadList(counter, value)
  if not value then return end
  if byte(value, 1) ~= VERSION.LIST then
    repaired = repaired + 1
    return
  end
  counter.entries, counter.used = shapeOf(KIND.LIST).live(value, now)
end

-- Makes tables of the counters of partition k, wherever their records are; `from` is the first one's number.
local function loadPartition(k, from, definitions)
  local value, places = values[k], {}
  if shape[definitions[1]] == KIND.LIST then
    local counter = { limit = limitAt(definitions[1]), used = 0, entries = '', touched = nil }
    counters[from] = counter
    return loadList(counter, value)
  end
  local function note(kind, place)
    if kind ~= KIND.PENDING then places[unpackBytes(RECORD.FORMAT_OF_ID, value, place + RECORD.BYTE_OF_ID)] = place end
  end
  if value and not eachRecord(value, note) then
    repaired = repaired + 1
    value, places, values[k] = false, {}, false
  end
  for i = 1, #definitions do
    local limit = limitAt(definitions[i])
    local place = places[limit.id]
    local kind = place and byte(value, place)
    if kind == KIND.BUCKET_IN_DEBT then kind = KIND.BUCKET end
    if kind ~= limit.shape then place = nil end
    -- With room for what its shape adds: a table that grows is made again.
    local counter = { limit = limit, used = 0, place = place, touched = nil, debt = nil, amount = nil, period = nil }
    shapeOf(limit.shape).load(limit, counter, value, place, now)
    counters[from + i - 1] = counter
  end
end
