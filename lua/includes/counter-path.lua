-- Functions on single counters (decide.lua). The first call of `counterPath` creates them, because
-- most calls handle whole partitions.
local madeCounterPath
local function counterPath()
  if madeCounterPath then return madeCounterPath end
-- include decide
-- include write-slowly
  madeCounterPath = { open = open, admits = admits, adoptRate = adoptRate, report = report, placeOf = placeOf, write = writeSlowly }
  return madeCounterPath
end
