-- Included by charge.lua and settle.lua, behind all decisions: writes the partitions that have changed.

-- Brings the header and the ends of fields up to date; false when a record is empty and goes, or the expiry of the key is
-- too early. Setting it costs as much as the value.
local function renew(read, count)
  local at, earliest, latest = 5, math.huge, 0
  for _ = 1, count do
    local kind, emptyAt = read[at], read[at + 2]
    if kind == BUCKET then
      local taken, amount = read[at + 5], read[at + 3]
      if taken <= 0 then return false end
      emptyAt = now + (taken + -taken % amount) / amount
      read[at + 2] = emptyAt
      at = at + 6
    else
      if read[at + 4] <= 0 then return false end
      at = at + (kind == SLIDING and 6 or 5)
    end
    if emptyAt < earliest then earliest = emptyAt end
    if emptyAt > latest then latest = emptyAt end
  end
  if read[3] * 1000 < latest or earliest > 4e12 then return false end
  read[4] = (earliest - earliest % 1000) / 1000
  return true
end

local call = redis.call
for k = 1, #KEYS do
  local read, isWritten = fields[k], false
  if read then
    isWritten = true
    if changed[k] then
      local g = groupOf[k]
      if stale[k] then
        isWritten = renew(read, #definitionsOf[g])
      else
        -- Windows are empty when they were to be, and buckets not before that: the next sweep is not too late.
        local buckets = bucketsOf[g]
        for i = 1, #buckets do
          local at = buckets[i]
          local taken, amount = read[at + 5], read[at + 3]
          local emptyAt = now + (taken + -taken % amount) / amount
          if taken <= 0 or emptyAt > read[3] * 1000 then isWritten = false end
          read[at + 2] = emptyAt
        end
      end
      if isWritten then
        read[2] = now
        call('SETRANGE', KEYS[k], '0', packBytes(formatOf[g], unpack(read)))
      else
        splitFields(k)
      end
    end
  end
  if not isWritten then
    local s, write = firstSlot[k], dirty[k]
    for slot = s, firstSlot[k + 1] - 1 do write = write or touched[slot] end
    if write then rare().write(k, s, definitionsOf[groupOf[k]]) end
  end
end
