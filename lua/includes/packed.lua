-- Packs a reply: doubles, little-endian, in one string. The client takes several times as long to
-- read an array of numbers.
local function packed(numbers, count)
  local bytes = ''
  for from = 1, count, 2000 do -- Lua's stack has room for 8,000.
    local to = math.min(from + 1999, count)
    bytes = bytes .. packBytes('<' .. string.rep('d', to - from + 1), unpack(numbers, from, to))
  end
  return bytes
end
