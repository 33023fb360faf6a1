-- Writes partitions in which more than the fields of one group has changed.

-- Writes the value of a key that has to live until `emptyAt`: a header of the format `head`, then
-- `rest`. The third field of the header is the expiry of the key. The key expires at `expiresAt`,
-- in seconds (0: it has no value yet). An expiry that is late enough is not changed, because
-- setting it costs as much as setting the value. A new expiry is later than `emptyAt`, and at least
-- `leastMs` from now.
local function writeValue(key, head, version, fourth, rest, emptyAt, expiresAt, now, leastMs)
  if expiresAt * 1000 >= emptyAt then
    redis.call('SET', key, packBytes(head, version, now, expiresAt, fourth) .. rest, 'KEEPTTL')
    return
  end
  local ttl = max(ceil((emptyAt - now) * 1.25) + 10000, leastMs)
  local seconds = min(MAX_SECONDS, floor((now + ttl) / 1000))
  redis.call('SET', key, packBytes(head, version, now, seconds, fourth) .. rest, 'PX', string.format('%.0f', ttl))
end

-- Appends the records that the call does not name: those that are at none of `places`. Omits empty
-- records and, if there are too many records, those that will be empty first. Returns the first and
-- the last time at which one of them is empty.
local function sweepOthers(value, records, places, now)
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

-- Returns the places of the first `count` records of a value, which follow one another.
local function placesInOrder(value, count)
  local places, place = {}, HEADER.BYTES + 1
  for i = 1, count do
    places[i] = place
    place = place + RECORD_BYTES[byte(value, place)]
  end
  return places
end

-- Returns the records of a partition after a call ('': none is left), and the first and the last
-- time at which one is empty.
--   value      the value before the call (nil: none), to be swept at `sweepAt`, in seconds
--   counters   those of the call have the numbers `first` to `last`; their records start at
--              `startOf`, in their order, or at the place of each counter
local function packRecords(value, counters, first, last, startOf, sweepAt, now)
  local records, places = {}, {}
  local covered, earliest, latest, inserted = HEADER.BYTES, math.huge, 0, false
  for s = first, last do
    local counter = counters[s]
    local place = startOf and startOf[s - first + 1] or counter.place
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
    if inserted or now >= sweepAt * 1000 then
      local otherEarliest, otherLatest = sweepOthers(value, records, places, now)
      earliest, latest = min(earliest, otherEarliest), max(latest, otherLatest)
    else
      earliest = min(earliest, sweepAt * 1000)
      eachRecord(value, function(kind, place, bytes)
        if kind ~= KIND.PENDING and not places[place] then records[#records + 1] = sub(value, place, place + bytes - 1) end
      end)
    end
  end
  return table.concat(records), earliest, latest
end
