-- Included by rare.lua: the log and leases (as in src/limiter/algorithms/log-and-leases.ts).

local function loadList(s, k)
  local value = values[k]
  body[s], used[s] = '', 0
  if not value then return end
  if byte(value, 1) ~= LIST_VERSION then
    repaired = repaired + 1
    return
  end
  local sum = unpackBytes('<I6', value, 12)
  local place, size = LIST_HEADER_BYTES + 1, #value
  while place <= size do
    local endsAt, cost = unpackBytes('<I6I5', value, place)
    if endsAt > now then break end
    sum = sum - cost
    place = place + ENTRY_BYTES
  end
  body[s], used[s] = sub(value, place), sum
end

local function addEntry(s, endsAt, cost, chargeId)
  local entries = body[s]
  if #entries >= MAX_ENTRIES * ENTRY_BYTES then return end
  local place = #entries
  while place > 0 and unpackBytes('<I6', entries, place - ENTRY_BYTES + 1) > endsAt do place = place - ENTRY_BYTES end
  local entry = packBytes('<I6I5c6', endsAt, cost, chargeId)
  body[s] = sub(entries, 1, place) .. entry .. sub(entries, place + 1)
  used[s] = used[s] + cost
end

-- Start of a charge's entry, or nil.
local function findEntry(entries, chargeId)
  local found = string.find(entries, chargeId, 12, true)
  while found and (found - 12) % ENTRY_BYTES ~= 0 do found = string.find(entries, chargeId, found + 1, true) end
  return found and found - 11
end

local function correctEntry(s, d, chargeId, actual)
  local entries = body[s]
  local place = findEntry(entries, chargeId)
  if not place then return end
  local endsAt, cost = unpackBytes('<I6I5', entries, place)
  local corrected = leases[d] == 1 and 0 or actual
  local entry = corrected > 0 and packBytes('<I6I5c6', endsAt, corrected, chargeId) or ''
  body[s] = sub(entries, 1, place - 1) .. entry .. sub(entries, place + ENTRY_BYTES)
  used[s] = used[s] + corrected - cost
end

local function listRetryAt(s, d, cost)
  local sum = used[s]
  for place = 1, #body[s], ENTRY_BYTES do
    local endsAt, entryCost = unpackBytes('<I6I5', body[s], place)
    sum = sum - entryCost
    if leases[d] == 1 or sum + cost <= capacity[d] then return endsAt end
  end
  return 0
end

local function listEmptyAt(s)
  local size = #body[s]
  return size > 0 and unpackBytes('<I6', body[s], size - ENTRY_BYTES + 1) or 0
end
