-- What most calls need none of: strict windows, lists, debts, other rates, sweeps, wrong clocks, unreadable data. All of it is
-- made by the first call of `slow`, because a function costs what it captures, every time the script runs.

local madeSlowPath
local function slow()
  if madeSlowPath then return madeSlowPath end
  local sub, byte, floor, ceil, min, max = string.sub, string.byte, math.floor, math.ceil, math.min, math.max
  local slowPath = {}
  madeSlowPath = slowPath

  -- Of numbers, texts and tables that they are given.
-- include buckets
-- include windows
-- include lists
-- include records
-- include rebase
-- include pending
  -- Of the state of this call.
-- include load
-- include actions
-- include write

  return slowPath
end
