-- What most calls need none of: strict windows, lists, debts, other rates, sweeps, wrong clocks, unreadable data. All of it is
-- made by the first call of `slow`, because a function costs what it captures, every time the script runs.
--
-- Each shape is a table of functions, which have the names, and are given what is given to those, of src/limiter/algorithms/:
--   load(limit, counter, value, place, now)    from the record at `place` of a value, or (nil) as an empty one
--   take, takeDenied(limit, counter, now, cost, chargeId)
--   takeAgain(limit, counter, now, cost, stamp)        a charge made at `stamp`, whatever room there is
--   correct(limit, counter, now, stamp, chargeId, charged, actual)
--   reset(counter)
--   pack(limit, counter, now)                  the record, and when it is empty; nil when it already is
--   refundRecord(value, place, cost, stamp, time), rebaseRecord(value, place, from, to)     records that the call does not ask for
-- and those that decide.lua does not know:
--   report(reply, n, limit, counter, now, cost, room)  the numbers behind the first; returns the next n
--   admits(limit, counter, now, cost), adoptRate(limit, counter)       of what refills, as a bucket does
-- A list has a value of its own, and neither records nor what goes with them: lists.lua.

local madeSlowPath
local function slow()
  if madeSlowPath then return madeSlowPath end
  local sub, byte, floor, ceil, min, max = string.sub, string.byte, math.floor, math.ceil, math.min, math.max

  -- A count that changes by `difference`; never below zero.
  local function correctCount(count, difference, maxCount) return max(0, min(count + difference, maxCount)) end

  -- What is done with counters, or records, of a kind. Most calls have one or two that need it.
  local shapes = {}
  local function shapeOf(kind)
    local made = shapes[kind]
    if made then return made end
    if kind == KIND.FIXED then
-- include fixed-windows
      made = fixed
    elseif kind == KIND.SLIDING then
-- include sliding-windows
      made = sliding
    elseif kind == KIND.STRICT then
-- include strict-windows
      made = strict
    elseif kind == KIND.LIST then
-- include lists
      made = list
    else
-- include buckets
      made = bucket
    end
    shapes[kind] = made
    return made
  end

-- include records
-- include pending
-- include rebase
-- include load
-- include write
-- include partitions-of-call

  madeSlowPath = {
    shapeOf = shapeOf, isReadable = noteReadable, rebase = rebasePartition,
    resolvePending = resolvePending, load = loadPartition, addPending = addPending, confirm = confirm,
    confirmAgain = confirmAgain, correct = correct, cancel = cancel, reset = reset, write = writePartition,
  }
  return madeSlowPath
end
