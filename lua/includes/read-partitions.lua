-- Reads the clock and every partition, and updates all partitions to one time.

-- All partitions use one time: the clock, or the latest stored time that is at most five seconds
-- ahead of it.
clock = injectedTime
if ARGV[2] ~= '' then
  -- NaN would make every comparison false, and a caller unlimited.
  if not clock or clock < 0 or clock > MAX_TIME or clock % 1 ~= 0 then
    return redis.error_reply('TOLLGATE the time is not a whole number of milliseconds')
  end
else
  local time = redis.call('TIME')
  clock = time[1] * 1000 + (time[2] - time[2] % 1000) / 1000
end
now = clock
-- Times of the last writes of partitions for which they are too far ahead of the clock. These
-- partitions are rebased when `now` is known.
local ahead
-- include read-values
for k = 1, #KEYS do
  local value = values[k]
  if value and #value >= HEADER.BYTES then
    local version, seen
    local g = groupOf[k]
    local rest = #value - bytesOf[g]
    if rest == 0 then
      -- The last element is the place after the value, which is never read.
      local read = { unpackBytes(formatOf[g], value) }
      fields[k], version, seen = read, read[1 + HEADER.VERSION], read[1 + HEADER.SEEN_AT]
    elseif rest > 0 and rest < math.huge and rest % PENDING.BYTES == 0 and string.byte(value) == VERSION.PENDING then
      -- The value continues with pending charges. They are processed below, where `now` is known.
      local read = { unpackBytes(formatOf[g], value) }
      fields[k], version, seen = read, VERSION.RECORDS, read[1 + HEADER.SEEN_AT]
      hasPending[k], tails[k] = true, string.sub(value, -rest)
    else
      version, seen, expiresAt[k], sweepAt[k] = unpackBytes(HEADER.FORMAT, value)
    end
    if version ~= VERSION.RECORDS and not slow().isReadable(k) then
      values[k], fields[k] = false, nil
    elseif seen > now then
      if seen > clock + MAX_AHEAD_MS then
        ahead = ahead or {}
        ahead[k], fields[k], tails[k] = seen, nil, nil
      else
        now = seen
      end
    end
  elseif value or redis.call('EXISTS', KEYS[k]) == 1 then
    -- MGET returns no value for keys of another type.
    repaired = repaired + 1
    values[k] = false
  end
end
if ahead then
  for k, from in pairs(ahead) do slow().rebase(k, from) end
end

-- The process sends three periods of each calendar window, around its own estimate of the time.
-- Chooses the one that contains `now`.
for i = 1, calendars and #calendars or 0 do
  local d = calendars[i]
  local starts, kept = parameters[d + DEFINITION.MAX_DEBT], 0
  local ends = starts + parameters[d + DEFINITION.FIRST]
  if now >= ends then starts, ends = ends, ends + parameters[d + DEFINITION.SECOND] end
  if now >= ends then starts, ends = ends, ends + parameters[d + DEFINITION.MAX_DELAY_MS] end
  if now < starts or now >= ends then
    return redis.error_reply(string.format('PERIODS %.0f is in none of the periods of a limit', now))
  end
  if parameters[d + DEFINITION.HAS_SLOTS] == 1 then kept = parameters[d + DEFINITION.SIZE + DEFINITION.MAX_DELAY_MS] end
  parameters[d + DEFINITION.MAX_DEBT], parameters[d + DEFINITION.SECOND] = starts, ends + kept
  parameters[d + DEFINITION.MAX_DELAY_MS] = kept
end

-- Updates the fields of each partition to `now`. The counters of partition k start with
-- firstCounter[k].
firstCounter = { 1, nil, nil, nil }
do
  local s = 1
  for k = 1, #KEYS do
    local tail = tails[k]
    for place = 1, tail and #tail or 0, PENDING.BYTES do
      if
        string.byte(tail, place) ~= KIND.PENDING
        or unpackBytes(PENDING.FORMAT_OF_DEADLINE, tail, place + PENDING.BYTE_OF_DEADLINE) <= now
      then
        tails[k] = nil -- A pending charge is overdue, or the bytes are other records.
        break
      end
    end
    if hasPending[k] and not tails[k] then slow().resolvePending(k) end
    local read, definitions, at = fields[k], definitionsOf[groupOf[k]], 1 + HEADER.SIZE
    for counter = s, s + #definitions - 1 do keyAt[counter] = k end
    if read then
      for i = 1, #definitions do
        local d = definitions[i]
        local kind = parameters[d + DEFINITION.SHAPE]
        if read[at + RECORD.KIND] ~= kind or read[at + RECORD.ID] ~= parameters[d + DEFINITION.ID] then
          read = nil -- The value contains other records.
          break
        end
        if kind == KIND.SLIDING then
          local window, emptyAt = parameters[d + DEFINITION.FIRST], read[at + SLIDING.EMPTY_AT]
          local ends = now - now % window + window
          if read[at + SLIDING.WINDOW] ~= window then
            read = nil
            break
          end
          -- The record counts the current window if the record becomes empty at the end of the next
          -- window. Otherwise it counts the previous window or an older one.
          if emptyAt - ends ~= window then
            read[at + SLIDING.PREVIOUS] = emptyAt == ends and read[at + SLIDING.CURRENT] or 0
            read[at + SLIDING.CURRENT], read[at + SLIDING.EMPTY_AT], stale[k] = 0, ends + window, true
          end
          at = at + SLIDING.SIZE
        elseif kind == KIND.BUCKET then
          local emptyAt, amount = read[at + BUCKET.EMPTY_AT], read[at + BUCKET.AMOUNT]
          if amount < 1 or read[at + BUCKET.PERIOD] < 1 then
            read = nil
            break
          end
          if emptyAt > now then
            -- A record does not store the time of its last refill. That time is `emptyAt` minus the
            -- time in which `taken` refills.
            local taken = read[at + BUCKET.TAKEN]
            local refilled = (now - emptyAt + (taken + -taken % amount) / amount) * amount
            if refilled > 0 then read[at + BUCKET.TAKEN] = taken - refilled end
          else
            -- Even a full bucket keeps its stored rate, because the limit of a settlement may be
            -- older and have another rate.
            read[at + BUCKET.TAKEN] = 0
          end
          at = at + BUCKET.SIZE
        else
          local window, emptyAt = parameters[d + DEFINITION.FIRST], parameters[d + DEFINITION.SECOND]
          if emptyAt > 0 then
            if read[at + FIXED.EMPTY_AT] ~= emptyAt then
              slow().shapeOf(KIND.FIXED).refreshFields(limitAt(d), read, at, now)
              stale[k] = true
            end
          elseif read[at + FIXED.WINDOW] ~= window then
            read = nil
            break
          elseif read[at + FIXED.EMPTY_AT] <= now then
            read[at + FIXED.EMPTY_AT], read[at + FIXED.COUNT], stale[k] = now - now % window + window, 0, true
          end
          at = at + FIXED.SIZE
        end
      end
    end
    if not read then
      read = fields[k]
      if read then expiresAt[k], sweepAt[k], fields[k] = read[1 + HEADER.EXPIRES_AT], read[1 + HEADER.SWEEP_AT], nil end
      tails[k] = nil
      slow().load(k, s, definitions)
    end
    s = s + #definitions
    firstCounter[k + 1] = s
  end
end
