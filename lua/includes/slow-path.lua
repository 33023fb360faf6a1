-- Functions that most calls do not need: strict windows, lists, debts, edited rates, sweeps, wrong
-- clocks, unreadable data. The first call of `slow` creates them, because a run of a script takes
-- longer for every function that it creates, and for every variable that the function captures.
--
-- Each shape is a table of functions. Their names and arguments are those of
-- src/limiter/algorithms/:
--   load(limit, counter, value, place, now)
--     reads the record at `place` of a value; if `place` is nil, the counter is empty
--   take, takeDenied(limit, counter, now, cost, chargeId)
--   takeAgain(limit, counter, now, cost, stamp)
--     a charge made at `stamp`, even without room
--   correct(limit, counter, now, stamp, chargeId, charged, actual)
--   reset(counter)
--   pack(limit, counter, now)
--     the record and the time at which it is empty; nil when it is empty already
--   refundRecord(value, place, cost, stamp, time), rebaseRecord(value, place, from, to)
--     the changed record, also of a limit that the call does not name; nil when it is empty
-- Shapes that decide.lua does not handle also have
--   report(reply, n, limit, counter, now, cost, room)
--     the numbers after the first; returns the next n
--   admits(limit, counter, now, cost), adoptRate(limit, counter)
--     of shapes that refill, as buckets do
-- A list has a value of its own and no records: see lists.lua.

local madeSlowPath
local function slow()
  if madeSlowPath then return madeSlowPath end
  -- Sizes of records in bytes, by kind.
  local RECORD_BYTES = KINDS.BYTES
  local sub, byte, floor, ceil, min, max = string.sub, string.byte, math.floor, math.ceil, math.min, math.max

  -- Changes a count by `difference`, never below zero.
  local function correctCount(count, difference, maxCount) return max(0, min(count + difference, maxCount)) end

  -- Shapes by kind, each created on first use. Most calls need one or two.
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
