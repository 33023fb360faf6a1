-- State of one call of charge.lua or peek.lua. A script reads everything, decides, and
-- then writes, because Redis does not roll back a script that fails after its first write.
--
-- KEYS     the partitions, each once
-- ARGV[1]  the request, which src/limiter/redis/write-call.ts writes:
--            definitions of limits
--            groups of definitions
--            for every key, the number of its group; counters are numbered consecutively, key by
--            key, in the order of the group
--            the fields that the head of the script lists
-- ARGV[2]  the time in epoch milliseconds, or '' for the clock of this server
--
-- All numbers are whole. Times are milliseconds. A partition is one string, little-endian. It has
-- these fields, each with its size in bytes:
--   version 1 (its value is 129 while a charge is pending, else 1), time of the last write 6,
--   expiry of the key in seconds 4, second of the next sweep 4, records
-- A record starts with its kind 1, id 6 and the time at which it is empty 6. These fields follow:
--   bucket            refill amount 5, refill period 5, used 7 [, debt 7]
--   fixed window      window 5, count 5
--     A calendar window has the same record. Its window is CALENDAR_MARK plus the time from its start
--     until the record is empty.
--   sliding window    window 5, current 5, previous 5
--   strict window     window 5, eleven parts 5 each, newest first
-- A charge is pending until the hash slots of its other keys have decided. Until then, the
-- partition has one pending charge for each charged record. After the deadline, the next script
-- that reads the partition refunds the charge. A pending charge has the fields
--   kind 1, charge id 6, deadline 6, id of the record 6, cost 5, time of the charge 6
-- An algorithm computes the times that it needs from the time at which its record is empty. A list
-- (log, slots) has a key of its own:
--   version 1, time of the last write 6, expiry in seconds 4, sum 6
--   [, mean hold time 5, with version 3], entries (end 6, cost 5, charge id 6) by their ends
--
-- Speed: each run of a script creates its functions again, and takes longer for every variable that
-- they capture. Code that every call needs is therefore included as text: read-request,
-- read-partitions, and the loops of the scripts. When read-request and read-partitions were
-- functions, a call with one charge took Redis 8 % more CPU time. `slow` creates rarely needed
-- functions on first use.
-- A partition that contains exactly its group, in the same order, is read by one call and written
-- by one call. Whole divisions use %, because a call of math.floor costs ten times as much.

local unpackBytes, packBytes = struct.unpack, struct.pack
local request, injectedTime = ARGV[1], tonumber(ARGV[2])

-- Arrays that most calls fill are created with room for their elements (nil). An array that grows to
-- 1, 2, 4 and 8 elements would be allocated four times.

-- Parameters of all limits of the call, definition by definition, in one array. A definition is
-- named by the index of its first parameter: parameters[d + DEFINITION.CAPACITY]. Flags are 0 or 1.
-- For a bucket, FIRST and SECOND are the refill amount and period. For all others, FIRST is the
-- window. read-partitions.lua replaces the periods of a calendar window by the current one. MAX_DEBT
-- is then its start. SECOND is the time at which its record is empty. That is MAX_DELAY_MS after the
-- end of the period.
local parameters

-- Definitions of calendar windows; nil if there are none.
local calendars

-- Groups: their definitions, the format of a partition that contains exactly them, and its bytes.
local definitionsOf, formatOf, bytesOf = { nil, nil, nil, nil }, { nil, nil, nil, nil }, { nil, nil, nil, nil }

-- Partitions, in arrays by the number of their key.
--   fields   the fields that formatOf reads, updated to `now`, while they are the whole partition
--   changed  whether the fields have to be written
--   stale    whether a window may be empty by now, or may become empty at another time than it was
--            read with
--   split    whether the fields were converted to counters
--   dirty    whether the value was rebased, or pending charges in it were refunded
local values, split, expiresAt, sweepAt, dirty = nil, {}, {}, {}, {}
local fields, changed, stale = { nil, nil, nil, nil }, { nil, nil, nil, nil }, { nil, nil, nil, nil }
local groupOf, firstCounter
local clock, now
-- Pending charges, by the number of the key: whether the partition had any, the places of those
-- that this call ends, and the bytes of those that it adds.
local hasPending, settledPending, newPending = {}, {}, {}
-- Bytes of the pending charges behind the `fields` of a partition, and whether these bytes have
-- changed.
local tails, newTail = {}, {}
local repaired, rebased = 0, 0

-- Counters: the number of the key of each, and a table for each that is not in `fields`
-- (decide.lua).
local keyAt = { nil, nil, nil, nil, nil, nil, nil, nil }
local counters = {}

-- Limits of the request as tables, for functions that take a limit (decide.lua).
local limits = {}

local function limitAt(d)
  local limit = limits[d]
  if not limit then
    local kind, capacity, amount = parameters[d + DEFINITION.SHAPE], parameters[d + DEFINITION.CAPACITY], parameters[d + DEFINITION.FIRST]
    local isShadow, countsDenied = parameters[d + DEFINITION.SHADOW] == 1, parameters[d + DEFINITION.COUNT_DENIED] == 1
    -- The table is created with all its members, because growing allocates it again. Limits that
    -- refill have a `second`.
    if kind == KIND.BUCKET then
      limit = {
        shape = kind, id = parameters[d + DEFINITION.ID], capacity = capacity, first = amount, second = parameters[d + DEFINITION.SECOND],
        shadow = isShadow, countDenied = countsDenied, leaky = parameters[d + DEFINITION.LEAKY] == 1,
        maxDebt = parameters[d + DEFINITION.MAX_DEBT], maxDelayMs = parameters[d + DEFINITION.MAX_DELAY_MS],
      }
    elseif parameters[d + DEFINITION.SECOND] > 0 then
      local kept = parameters[d + DEFINITION.MAX_DELAY_MS]
      limit = {
        shape = kind, id = parameters[d + DEFINITION.ID], capacity = capacity, shadow = isShadow, countDenied = countsDenied,
        starts = parameters[d + DEFINITION.MAX_DEBT], ends = parameters[d + DEFINITION.SECOND] - kept, kept = kept, amount = nil,
      }
      if parameters[d + DEFINITION.HAS_SLOTS] == 1 then
        local carry = d + DEFINITION.SIZE
        limit.amount, limit.percent = parameters[carry + DEFINITION.CAPACITY], parameters[carry + DEFINITION.FIRST]
        limit.maxCarry = parameters[carry + DEFINITION.MAX_DEBT]
      end
    else
      limit = {
        shape = kind, id = parameters[d + DEFINITION.ID], capacity = capacity, first = amount, shadow = isShadow,
        countDenied = countsDenied, hasSlots = parameters[d + DEFINITION.HAS_SLOTS] == 1,
      }
    end
    limits[d] = limit
  end
  return limit
end
