-- Functions on single counters (decide.lua, write-slowly.lua). They are created on first use,
-- because most requests handle only whole partitions.
local madeCounterPath
local function counterPath()
  if madeCounterPath then return madeCounterPath end
-- include decide
-- include write-slowly
  madeCounterPath = { open = open, admits = admits, adoptRate = adoptRate, report = report, placeOf = placeOf, write = writeSlowly }
  return madeCounterPath
end
