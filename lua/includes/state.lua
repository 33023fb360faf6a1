-- What charge.lua, settle.lua and peek.lua know of a call. Read all, decide, write all: nothing is written before everything was read and decided, because a script that fails after its first write is not undone.
--
-- KEYS     the partitions, each once
-- ARGV[1]  the request (src/limiter/redis/write-call.ts writes it): definitions of limits; groups of definitions; for every key the
--          group of limits that count in it, whose places there, one key after the other, number the counters; then
--          what the script does with them
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
-- answered; past its deadline it is refunded by the next script that reads it:
--   kind 1, charge id 6, deadline 6, id of the record 6, cost 5, time of the charge 6
-- The times that an algorithm needs follow from the time at which its record is empty. A list (log, slots) has a key
-- of its own:
--   version 1, time of the last write 6, expiry in seconds 4, sum 6 [, mean hold time 5, with version 3], entries (end 6, cost 5,
--   charge id 6) by their ends
--
-- Speed: a function costs what it captures, every time the script runs. So what every call does (read-request, read-partitions, the
-- loops of the scripts) is text and no function: as functions these two took 8 % more of Redis for a call of one charge. What is rarely needed is made by `slow`, once it
-- is. A partition that holds just its group, in the same order, is read and written by one call each. Whole
-- divisions are written with % because a call of math.floor costs ten times as much.

local RECORD_BYTES = KINDS.BYTES
local RECORD_FORMATS = { BUCKET.FIELDS, FIXED.FIELDS, SLIDING.FIELDS }

local unpackBytes, packBytes = struct.unpack, struct.pack
local request, injectedTime = ARGV[1], tonumber(ARGV[2])

-- Arrays that most calls fill are made with room: one that grows, to 1, 2, 4 and 8, is made four times.
local function four() return { nil, nil, nil, nil } end
local function eight() return { nil, nil, nil, nil, nil, nil, nil, nil } end

-- Definitions of limits, in arrays by number. Flags are 0 or 1. `first` and `second` are the refill amount and period of
-- a bucket; `first` is the window of all others.
local shape, id, capacity, first, second = eight(), eight(), eight(), eight(), eight()
local leaky, hasSlots, shadow, countDenied, maxDebt, maxDelayMs = eight(), eight(), eight(), eight(), eight(), eight()

-- Groups: their definitions, the format of a partition that holds just them, its bytes, and where each record, and each
-- bucket, starts among the fields that the format reads.
local definitionsOf, formatOf, bytesOf, placesOf, bucketsOf = four(), four(), four(), four(), four()

-- Partitions, in arrays by the number of their key. `fields` is what formatOf read, brought to `now`, as long as that is
-- all there is to know of the partition; `changed` that they are to be written, `stale` that a window may be empty now, or be
-- empty at another time than when they were read. Those that were taken apart are `split`.
local values, fields, changed, stale, split, expiresAt, sweepAt, dirty = {}, four(), four(), four(), {}, {}, {}, {}
local groupOf, firstCounter
local clock, now
-- By definition: when the window that runs ends, of fixed and sliding ones.
local endOf = eight()
-- By key: places of pending charges that are settled now, and the bytes of new ones.
local hasPending, settledPending, newPending = {}, {}, {}
-- Of partitions in `fields`: the bytes of the pending charges behind them, and that these have changed.
local tails, newTail = {}, {}
local repaired, rebased = 0, 0

-- Counters: the number of the key that each is in; and those that are not in `fields`, as tables: see decide.lua.
local keyAt = eight()
local counters = {}

-- What the request says of a limit, for functions that are given it: see decide.lua.
local limits = {}

local function limitAt(d)
  local limit = limits[d]
  if not limit then
    local kind = shape[d]
    -- As many members as it gets: a table that grows is made again. What refills has a `second`.
    if second[d] > 0 then
      limit = {
        shape = kind, id = id[d], capacity = capacity[d], first = first[d], second = second[d], shadow = shadow[d] == 1,
        countDenied = countDenied[d] == 1, leaky = leaky[d] == 1, maxDebt = maxDebt[d], maxDelayMs = maxDelayMs[d],
      }
    else
      limit = {
        shape = kind, id = id[d], capacity = capacity[d], first = first[d], shadow = shadow[d] == 1,
        countDenied = countDenied[d] == 1, hasSlots = hasSlots[d] == 1,
      }
    end
    limits[d] = limit
  end
  return limit
end
