-- Writes partitions in which more than the fields of one group has changed.

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

local function writeList(k, counter)
  local entries = counter.entries
  if entries ~= '' then
    set(k, LIST_HEADER.FORMAT, VERSION.LIST, counter.used, entries, shapeOf(KIND.LIST).emptyAt(entries))
  elseif values[k] then
    redis.call('DEL', KEYS[k])
  end
end

-- Appends the records that the call does not ask for, without those that are empty; where there are too many, without those
-- that are empty soonest. Returns the first and the last time at which one of them is.
local function sweepOthers(value, records, places)
  local others = {}
  eachRecord(value, function(kind, place, bytes)
    local _, recordId, emptyAt = unpackBytes(RECORD.FORMAT, value, place)
    if kind ~= KIND.PENDING and not places[place] and emptyAt > now then
      others[#others + 1] = { emptyAt = emptyAt, id = recordId, text = sub(value, place, place + bytes - 1) }
    end
  end)
  local room = max(0, MAX_LIMITS - #records)
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
local function writePartition(k, from, definitions)
  local value = values[k]
  if shape[definitions[1]] == KIND.LIST then return writeList(k, counters[from]) end
  local startOf = {}
  if split[k] then
    -- Its records were all read at once, one after the other.
    local place = HEADER.BYTES + 1
    for s = from, from + #definitions - 1 do
      startOf[s] = place
      place = place + RECORD_BYTES[byte(value, place)]
    end
    local _, _, expires, sweep = unpackBytes(HEADER.FORMAT, value)
    expiresAt[k], sweepAt[k] = expires, sweep
  end
  local records, places = {}, {}
  local covered, earliest, latest, inserted = HEADER.BYTES, math.huge, 0, false
  for s = from, from + #definitions - 1 do
    local counter = counters[s]
    local place = startOf[s] or counter.place
    local bytes = place and RECORD_BYTES[byte(value, place)] or 0
    covered = covered + bytes
    if place then places[place] = true end
    if counter.touched then
      local limit = counter.limit
      local record, emptyAt = shapeOf(limit.shape).pack(limit, counter, now)
      if record then
        records[#records + 1] = record
        earliest, latest = min(earliest, emptyAt), max(latest, emptyAt)
        inserted = inserted or not place
      end
    elseif place then
      local emptyAt = unpackBytes(RECORD.FORMAT_OF_EMPTY_AT, value, place + RECORD.BYTE_OF_EMPTY_AT)
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
        if kind ~= KIND.PENDING and not places[place] then records[#records + 1] = sub(value, place, place + bytes - 1) end
      end)
    end
  end
  local version = VERSION.RECORDS
  if hasPending[k] and value then
    local settled = settledPending[k] or {}
    eachRecord(value, function(kind, place, bytes)
      if kind ~= KIND.PENDING or settled[place] then return end
      records[#records + 1] = sub(value, place, place + bytes - 1)
      version = VERSION.PENDING
    end)
  end
  if newPending[k] then
    records[#records + 1] = newPending[k]
    version = VERSION.PENDING
  end
  -- The key has to outlive every deadline.
  if version == VERSION.PENDING then latest = max(latest, now + 60000) end
  if #records > 0 then
    set(k, HEADER.FORMAT, version, min(MAX_SECONDS, floor(earliest / 1000)), table.concat(records), latest)
  elseif value then
    redis.call('DEL', KEYS[k])
  end
end
