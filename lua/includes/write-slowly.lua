-- Writes partition k if it has changed and `writeAll` cannot write its fields.
local function writeSlowly(k)
  if fields[k] then splitFields(k) end
  local from, isChanged = firstCounter[k], dirty[k]
  for s = from, firstCounter[k + 1] - 1 do isChanged = isChanged or counters[s].touched end
  if isChanged then slow().write(k, from, definitionsOf[groupOf[k]]) end
end
