-- Included by shared.lua: strict windows, lists, debts, other rates, sweeps, wrong clocks, unreadable data. All of it is
-- made by the first call, because most calls of a script need none of it.

local rareFunctions
local function rare()
  if rareFunctions then return rareFunctions end
  local sub, byte, floor, ceil, min, max = string.sub, string.byte, math.floor, math.ceil, math.min, math.max
  local LIST_HEADER_BYTES, ENTRY_BYTES, MAX_ENTRIES = 17, 17, 10000
  local STRICT_PARTS, MAX_RECORDS = 10, 64
  local MAX_UNITS, MAX_COUNT, MAX_SECONDS = 2 ^ 52, 2 ^ 40 - 1, 2 ^ 32 - 1
  local STRICT_FORMAT = '<' .. string.rep('I5', STRICT_PARTS + 1)
  local R = {}
  rareFunctions = R

-- include buckets.lua
-- include windows.lua
-- include lists.lua
-- include actions.lua
-- include records.lua
-- include rebase.lua
-- include pending.lua
-- include write.lua

  return R
end
