-- Shared by charge.lua, settle.lua and peek.lua, which include this text. Read all, decide, write all: nothing is
-- written before everything was read and decided, because a script that fails after its first write is not undone.
--
-- KEYS     the partitions, each once
-- ARGV[1]  the request (src/limiter/redis/encode-request.ts writes it): definitions of limits; groups of definitions; for every key the
--          group of limits that count in it, whose places there, one key after the other, are the slots; then what the
--          script does with the slots
-- ARGV[2]  the time in epoch milliseconds, or '' for the clock of this server
--
-- All numbers are whole; times are milliseconds. A partition is one string, little-endian:
--   version 1 (129 while a charge is pending in it), time of the last write 6, expiry of the key in seconds 4, second of
--   the next sweep 4, records
-- A record starts with its kind 1, id 6 and the time at which it is empty 6, and goes on with
--   bucket            refill amount 5, refill period 5, used 7 [, debt 7]
--   fixed window      window 5, count 5
--   sliding window    window 5, current 5, previous 5
--   strict window     window 5, eleven parts 5 each, newest first
-- A pending charge stands beside the records it was taken from, once for each, until the slots of other keys have
-- answered; past its deadline it is given back by the next script that reads it:
--   kind 1, charge id 6, deadline 6, id of the record 6, cost 5, time of the charge 6
-- The times that an algorithm needs follow from the time at which its record is empty. A list (log, leases) has a key
-- of its own:
--   version 1, time of the last write 6, expiry in seconds 4, sum 6, entries (end 6, cost 5, charge id 6) by their ends
--
-- Speed: a function costs what it captures, every time the script runs. What is rarely needed is made by `rare`, once it
-- is. A partition that holds just its group, in the same order, is read and written by one call each. Whole
-- divisions are written with % because a call of math.floor costs ten times as much.

local BUCKET, FIXED, SLIDING, STRICT, LIST, BUCKET_IN_DEBT, PENDING = 1, 2, 3, 4, 5, 6, 7
local RECORD_BYTES = { 30, 23, 28, 73, [6] = 37, [7] = 30 }
local RECORD_FORMATS = { 'BI6I6I5I5I7', 'BI6I6I5I5', 'BI6I6I5I5I5' }
local HEADER_BYTES = 15
local LIST_VERSION, PENDING_VERSION = 2, 129
local MAX_AHEAD_MS = 5000
local MAX_COST, MAX_TIME = 2 ^ 31 - 1, 2 ^ 47

local unpackBytes, packBytes = struct.unpack, struct.pack
local request, injectedTime = ARGV[1], tonumber(ARGV[2])

-- Arrays that most calls fill are made with room: one that grows, to 1, 2, 4 and 8, is made four times.
local function four() return { nil, nil, nil, nil } end
local function eight() return { nil, nil, nil, nil, nil, nil, nil, nil } end

-- Definitions of limits, in arrays by number. Flags are 0 or 1. `first` and `second` are the refill amount and period of
-- a bucket; `first` is the window of all others.
local shape, id, capacity, first, second = eight(), eight(), eight(), eight(), eight()
local leaky, leases, shadow, countDenied, maxDebt, maxDelayMs = eight(), eight(), eight(), eight(), eight(), eight()

-- Groups: their definitions, the format of a partition that holds just them, its bytes, and where each record, and each
-- bucket, starts among the fields that the format reads.
local definitionsOf, formatOf, bytesOf, placesOf, bucketsOf = four(), four(), four(), four(), four()

-- Partitions, in arrays by the number of their key. `fields` is what formatOf read, brought to `now`, as long as that is
-- all there is to know of the partition; `changed` that they are to be written, `stale` that a window may be empty now, or be
-- empty at another time than when they were read. Those that were taken apart are `split`.
local values, fields, changed, stale, split, expiresAt, sweepAt, dirty = {}, four(), four(), four(), {}, {}, {}, {}
local groupOf, firstSlot
local clock, now
-- By definition: when the window that runs ends, of fixed and sliding ones.
local endOf = eight()
-- By key: places of pending charges that are settled now, and the bytes of new ones.
local hasPending, settledPending, newPending = {}, {}, {}
local repaired, rebased = 0, 0

-- Slots: the number of the key that each counts in. The other arrays have those counters only that are not in `fields`:
-- where they are, and their state at `now` (as in src/limiter/algorithms/counter.ts).
local keyAt = eight()
local definitionOf, position, touched, moved = {}, {}, {}, {}
local used, extra, amountOf, periodOf, parts, body = {}, {}, {}, {}, {}, {}

-- include rare.lua

local offset = 3
for d = 1, unpackBytes('<H', request) do
  shape[d], leaky[d], leases[d], shadow[d], countDenied[d], id[d], capacity[d], first[d], second[d], maxDebt[d], maxDelayMs[d], offset =
    unpackBytes('<BBBBBI6I7I5I5I7I5', request, offset)
  if shape[d] < BUCKET or shape[d] > LIST or capacity[d] < 1 or first[d] < 1 or (shape[d] == BUCKET and second[d] < 1) then
    return redis.error_reply('TOLLGATE a limit has bad parameters')
  end
end

-- A partition has at most 64 counters, and a group as many limits.
local SHORTS = '<HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH'
local groups
groups, offset = unpackBytes('<H', request, offset)
for g = 1, groups do
  local count = unpackBytes('<B', request, offset)
  local definitions = { unpackBytes(string.sub(SHORTS, 1, 1 + count), request, offset + 1) }
  definitions[count + 1] = nil
  offset = offset + 1 + 2 * count
  local format, bytes = '<BI6I4I4', HEADER_BYTES
  local places, place, buckets = four(), 5, {}
  for i = 1, count do
    local kind = shape[definitions[i]]
    places[i] = place
    if kind == BUCKET then buckets[#buckets + 1] = place end
    place = place + (kind == FIXED and 5 or 6)
    -- No value has negative bytes: one with other shapes is never read in one call.
    if kind <= SLIDING then
      format, bytes = format .. RECORD_FORMATS[kind], bytes + RECORD_BYTES[kind]
    else
      bytes = -math.huge
    end
  end
  definitionsOf[g], bytesOf[g], placesOf[g], bucketsOf[g] = definitions, bytes, places, buckets
  if bytes > 0 then formatOf[g] = format end
end
groupOf = { unpackBytes('<' .. string.rep('H', #KEYS), request, offset) }
offset = offset + 2 * #KEYS

-- One time for all partitions: the clock, or the latest stored time that is less than five seconds ahead of it.
clock = injectedTime
if ARGV[2] ~= '' then
  -- A number that is none would make every comparison false, and a caller unlimited.
  if not clock or clock < 0 or clock > MAX_TIME or clock % 1 ~= 0 then
    return redis.error_reply('TOLLGATE the time is not a whole number of milliseconds')
  end
else
  local time = redis.call('TIME')
  clock = time[1] * 1000 + (time[2] - time[2] % 1000) / 1000
end
now = clock
values = redis.call('MGET', unpack(KEYS))
for k = 1, #KEYS do
  local value = values[k]
  if value and #value >= HEADER_BYTES then
    local version, seen
    local g = groupOf[k]
    if #value == bytesOf[g] then
      -- Also the place behind the value, which nobody reads.
      local read = { unpackBytes(formatOf[g], value) }
      fields[k], version, seen = read, read[1], read[2]
    else
      version, seen, expiresAt[k], sweepAt[k] = unpackBytes('<BI6I4I4', value)
    end
    if version ~= 1 and not rare().isReadable(k) then
      values[k], fields[k] = false, nil
    elseif seen > now then
      if seen > clock + MAX_AHEAD_MS then rare().rebase(k, seen) else now = seen end
    end
  elseif value or redis.call('EXISTS', KEYS[k]) == 1 then
    -- MGET passes over keys of another type.
    repaired = repaired + 1
    values[k] = false
  end
end

for d = 1, #shape do
  if shape[d] == SLIDING or shape[d] == FIXED then endOf[d] = now - now % first[d] + first[d] end
end

-- The slots of partition k start with firstSlot[k]. Its fields are brought to `now`.
firstSlot = { 1, nil, nil, nil }
do
  local s = 1
  for k = 1, #KEYS do
    if hasPending[k] then rare().resolvePending(k) end
    local read, definitions, at = fields[k], definitionsOf[groupOf[k]], 5
    for slot = s, s + #definitions - 1 do keyAt[slot] = k end
    if read then
      for i = 1, #definitions do
        local d = definitions[i]
        local kind = shape[d]
        if read[at] ~= kind or read[at + 1] ~= id[d] then
          read = nil -- These are other records.
          break
        end
        if kind == SLIDING then
          local window, emptyAt, ends = first[d], read[at + 2], endOf[d]
          if read[at + 3] ~= window then
            read = nil
            break
          end
          -- The end of the window after the one that was counted: that of this one, or of the next.
          if emptyAt - ends ~= window then
            read[at + 5] = emptyAt == ends and read[at + 4] or 0
            read[at + 4], read[at + 2], stale[k] = 0, ends + window, true
          end
          at = at + 6
        elseif kind == BUCKET then
          local emptyAt, amount = read[at + 2], read[at + 3]
          if amount < 1 or read[at + 4] < 1 then
            read = nil
            break
          end
          if emptyAt > now then
            -- What was taken drains at the refill rate.
            local taken = read[at + 5]
            local refilled = (now - emptyAt + (taken + -taken % amount) / amount) * amount
            if refilled > 0 then read[at + 5] = taken - refilled end
          else
            -- A full bucket is as good as none: its rate is that of the limit.
            read[at + 3], read[at + 4], read[at + 5] = first[d], second[d], 0
          end
          at = at + 6
        else
          if read[at + 3] ~= first[d] then
            read = nil
            break
          end
          if read[at + 2] <= now then read[at + 2], read[at + 4], stale[k] = endOf[d], 0, true end
          at = at + 5
        end
      end
    end
    if not read then
      read = fields[k]
      if read then expiresAt[k], sweepAt[k], fields[k] = read[3], read[4], nil end
      for i = 1, #definitions do definitionOf[s + i - 1] = definitions[i] end
      rare().load(k, s, definitions)
    end
    s = s + #definitions
    firstSlot[k + 1] = s
  end
end

-- Moves the counters of partition k from its fields to their slots.
local function splitFields(k)
  local read, from, definitions, places = fields[k], firstSlot[k], definitionsOf[groupOf[k]], placesOf[groupOf[k]]
  for i = 1, #definitions do
    local s, d, at = from + i - 1, definitions[i], places[i]
    definitionOf[s], touched[s] = d, changed[k]
    if shape[d] == BUCKET then
      amountOf[s], periodOf[s], used[s], extra[s] = read[at + 3], read[at + 4], read[at + 5], 0
    else
      used[s], extra[s] = read[at + 4], shape[d] == SLIDING and read[at + 5] or 0
    end
  end
  fields[k], split[k] = nil, true
end

-- The definition of slot s, whose state is in the arrays by slot from here on; nil: there is none.
local function open(s)
  if not definitionOf[s] then
    local k = keyAt[s]
    if k then splitFields(k) end
  end
  return definitionOf[s]
end

-- Whether the counter in slot s has room for `cost`.
local function admits(s, d, cost)
  if cost == 0 then return true end
  local kind = shape[d]
  if kind == SLIDING then
    local sum, previous = used[s] + cost, extra[s]
    if previous > 0 then
      -- The previous window counts by the share that the true window still overlaps, rounded up.
      local window = first[d]
      local scaled = previous * (endOf[d] - now)
      sum = sum + (scaled + -scaled % window) / window
    end
    return sum <= capacity[d]
  elseif kind == BUCKET then
    if cost > capacity[d] then return false end
    local period = second[d]
    local lacks = cost * period - (capacity[d] * period - used[s] - extra[s])
    if lacks <= 0 then return true end
    if maxDelayMs[d] == 0 then return false end
    local ahead = leaky[d] == 1 and used[s] + extra[s] or lacks
    return math.ceil(ahead / first[d]) <= maxDelayMs[d]
  end
  return used[s] + cost <= capacity[d]
end

-- Goes over to the rate that the limit has now, where that is another one. A charge that costs something writes it even if
-- it is denied, or the wait that it is told would not hold.
local function adoptRate(s, d, cost)
  if amountOf[s] ~= first[d] or periodOf[s] ~= second[d] then
    rare().adoptRate(s, d)
    moved[s] = split[keyAt[s]] or position[s]
  end
  if cost > 0 and moved[s] then touched[s] = true end
end

-- Appends the numbers of one limit to the reply at n, as src/limiter/limit-state.ts reads them; returns the next n.
local function report(reply, n, s, d, cost, room)
  local kind = shape[d]
  reply[n] = room and used[s] or -1 - used[s]
  if kind == SLIDING or kind == BUCKET then
    reply[n + 1] = extra[s]
    return n + 2
  elseif kind == FIXED then
    return n + 1
  end
  reply[n + 1], reply[n + 2] = rare().times(s, d, cost, room)
  return n + 3
end

-- A reply: doubles, little-endian, in one string. An array of as many numbers takes its reader several times as long.
local function packed(numbers, count)
  local bytes = ''
  for from = 1, count, 2000 do -- Lua's stack has room for 8,000.
    local to = math.min(from + 1999, count)
    bytes = bytes .. packBytes('<' .. string.rep('d', to - from + 1), unpack(numbers, from, to))
  end
  return bytes
end
