-- Reads single counters from the value of their partition, wherever their records are.

-- Returns the counter of a list, and whether the value was readable. The counter is empty if the
-- value is unreadable or nil.
local function loadList(limit, value, now)
  local counter = { limit = limit, used = 0, entries = '', meanHold = 0, touched = nil }
  if not value then return counter, true end
  if not isList(value) then return counter, false end
  counter.entries, counter.used, counter.meanHold = shapeOf(KIND.LIST).live(limit, value, now)
  return counter, true
end

-- Returns the counters of `limits` in their order, and whether the value was readable. None of them
-- is a list.
local function loadCounters(limits, value, now)
  local counters, places, isReadable = {}, {}, true
  if value then
    isReadable = eachRecord(value, function(kind, place)
      if kind ~= KIND.PENDING then places[unpackBytes(RECORD.FORMAT_OF_ID, value, place + RECORD.BYTE_OF_ID)] = place end
    end)
    if not isReadable then value, places = nil, {} end
  end
  for i = 1, #limits do
    local limit = limits[i]
    local place = places[limit.id]
    local kind = place and byte(value, place)
    if kind == KIND.BUCKET_IN_DEBT then kind = KIND.BUCKET end
    if kind ~= limit.shape then place = nil end
    -- The table is created with room for the members of its shape, because growing allocates it
    -- again.
    local counter = { limit = limit, used = 0, place = place, touched = nil, debt = nil, amount = nil, period = nil }
    shapeOf(limit.shape).load(limit, counter, value, place, now)
    counters[i] = counter
  end
  return counters, isReadable
end
