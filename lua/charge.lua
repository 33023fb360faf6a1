#!lua
-- Settles earlier charges, and then makes new ones. A call may contain settlements only, or new
-- charges only. For each new charge, the script charges every cost of its operation, or none. It
-- decides the charges one after the other.
--
-- ARGV[1]  begins as in includes/state.lua and ends with these fields, each with its size in bytes:
--            number of charges 2, number of their limits 2, number of settlement items 2
--            for each item: action 1, counter 2, charged 4, actual 4, time of the charge 6,
--            charge id 6
--          Actions: 0 correct, 1 confirm, 2 cancel, 3 empty, 4 confirm again. For action 4,
--          `actual` is the number of milliseconds for which the charge may stay pending.
--            for each charge: its number of limits 1
--            for each charge: the milliseconds for which it stays pending 4 (0: never pending)
--            for each limit: its counter 2, cost 4
--            for each charge: its id 6
-- Reply    packed: clock, time of the decision, repaired keys, rebased keys; for each charge 1
--          (admitted) or 0, and the numbers of its limits
-- include state
-- include slow-path
-- include read-request
-- include read-partitions
-- include counter-path
-- include packed
-- include write-all
-- include settle-items

local reply, n = { clock, now, 0, 0, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil }, 5
local room, newly = {}, {}
-- One call reads all fields of a kind. A table for each charge would take longer.
local counts = { unpackBytes(string.rep(CHARGE_COUNT.FIELDS, charges), request, offset) }
offset = offset + CHARGE_COUNT.BYTES * charges
local pendings = { unpackBytes('<' .. string.rep(CHARGE_PENDING.FIELDS, charges), request, offset) }
offset = offset + CHARGE_PENDING.BYTES * charges
local limits = { unpackBytes('<' .. string.rep(CHARGED_LIMIT.FIELDS, total), request, offset) }
local ids = offset + CHARGED_LIMIT.BYTES * total
if #request ~= ids + CHARGE_ID.BYTES * charges - 1 then return redis.error_reply('TOLLGATE a request is cut') end
local from = 0
for c = 1, charges do
  local count, pendingMs = counts[c], pendings[c]
  local verdict = n
  reply[n] = 1
  n = n + 1
  -- Most charges cover whole partitions and fit into every limit. They are charged limit by limit,
  -- and the charge is undone if one limit needs the slow path.
  local taken, fresh, isSimple = 0, 0, true
  local entry = from
  while isSimple and taken < count do
    local s = limits[entry + 1]
    local k = keyAt[s]
    local read = k and fields[k]
    -- A key must not expire before the pending charges that it contains.
    if not read or s ~= firstCounter[k] or pendingMs > 0 and read[1 + HEADER.EXPIRES_AT] * 1000 < now + pendingMs + 1000 then
      isSimple = false
      break
    end
    local definitions, at, spent = definitionsOf[groupOf[k]], 1 + HEADER.SIZE, 0
    for i = 1, #definitions do
      local cost = limits[entry + 2]
      if taken == count or limits[entry + 1] ~= s or cost > MAX_COST then
        isSimple = false
        break
      end
      local kind = read[at + RECORD.KIND]
      if kind == KIND.SLIDING then
        local sum, before = read[at + SLIDING.CURRENT] + cost, read[at + SLIDING.PREVIOUS]
        local counted = sum
        if before > 0 then
          -- The same rule as in `admits`.
          local window = read[at + SLIDING.WINDOW]
          local scaled = before * (read[at + SLIDING.EMPTY_AT] - window - now)
          counted = sum + (scaled + -scaled % window) / window
        end
        if counted > parameters[definitions[i] + DEFINITION.CAPACITY] and cost > 0 then
          isSimple = false
          break
        end
        read[at + SLIDING.CURRENT], reply[n], reply[n + 1] = sum, sum, before
        n, at = n + 2, at + SLIDING.SIZE
      elseif kind == KIND.BUCKET then
        local d, period = definitions[i], read[at + BUCKET.PERIOD]
        local sum = read[at + BUCKET.TAKEN] + cost * period
        if
          period ~= parameters[d + DEFINITION.SECOND]
          or read[at + BUCKET.AMOUNT] ~= parameters[d + DEFINITION.FIRST]
          or sum > parameters[d + DEFINITION.CAPACITY] * period and cost > 0
        then
          isSimple = false
          break
        end
        read[at + BUCKET.TAKEN], reply[n], reply[n + 1] = sum, sum, 0
        n, at = n + 2, at + BUCKET.SIZE
      else
        local sum = read[at + FIXED.COUNT] + cost
        if sum > parameters[definitions[i] + DEFINITION.CAPACITY] and cost > 0 then
          isSimple = false
          break
        end
        read[at + FIXED.COUNT], reply[n] = sum, sum
        n, at = n + 1, at + FIXED.SIZE
      end
      taken, s, entry, spent = taken + 1, s + 1, entry + 2, spent + cost
    end
    if isSimple and spent > 0 and not changed[k] then
      fresh = fresh + 1
      newly[fresh], changed[k] = k, true
    end
  end
  local chargeId = (pendingMs > 0 or not isSimple)
    and string.sub(request, ids + CHARGE_ID.BYTES * (c - 1), ids + CHARGE_ID.BYTES * c - 1)
  if isSimple and pendingMs > 0 then
    for i = 1, count do
      local s, cost = limits[from + i * 2 - 1], limits[from + i * 2]
      if cost > 0 then
        local k = keyAt[s]
        local d = definitionsOf[groupOf[k]][s - firstCounter[k] + 1]
        local record = packBytes(PENDING.FORMAT, KIND.PENDING, chargeId, now + pendingMs, parameters[d + DEFINITION.ID], cost, now)
        tails[k], newTail[k] = (tails[k] or '') .. record, true
      end
    end
  end
  if not isSimple then
    local single = counterPath()
    for i = 1, taken do
      local s, cost = limits[from + i * 2 - 1], limits[from + i * 2]
      local k = keyAt[s]
      local read, at = fields[k], single.placeOf(k, s)
      local kind = read[at + RECORD.KIND]
      if kind == KIND.BUCKET then
        read[at + BUCKET.TAKEN] = read[at + BUCKET.TAKEN] - cost * read[at + BUCKET.PERIOD]
      elseif kind == KIND.SLIDING then
        read[at + SLIDING.CURRENT] = read[at + SLIDING.CURRENT] - cost
      else
        read[at + FIXED.COUNT] = read[at + FIXED.COUNT] - cost
      end
    end
    for i = 1, fresh do changed[newly[i]] = nil end
    local admitted = true
    for i = 1, count do
      local s, cost = limits[from + i * 2 - 1], limits[from + i * 2]
      local counter = single.open(s)
      if not counter or cost > MAX_COST then return redis.error_reply('TOLLGATE a charge has a bad counter or cost') end
      local limit = counter.limit
      if limit.second then single.adoptRate(limit, counter, cost) end
      room[i] = single.admits(limit, counter, now, cost)
      if not room[i] and not limit.shadow then admitted = false end
    end
    reply[verdict], n = admitted and 1 or 0, verdict + 1
    for i = 1, count do
      local s, cost, fits = limits[from + i * 2 - 1], limits[from + i * 2], room[i]
      local counter = counters[s]
      local limit = counter.limit
      local kind = limit.shape
      if cost > 0 then
        if admitted then
          if fits then
            counter.touched = true
            if kind == KIND.SLIDING or kind == KIND.FIXED then
              counter.used = counter.used + cost
            elseif kind == KIND.BUCKET then
              counter.used = counter.used + cost * limit.second
            else
              slow().shapeOf(kind).take(limit, counter, now, cost, chargeId, pendingMs)
            end
            if pendingMs > 0 and kind ~= KIND.LIST then slow().addPending(keyAt[s], limit.id, cost, chargeId, now + pendingMs) end
          end
        elseif limit.countDenied and not limit.shadow then
          counter.touched = true
          slow().shapeOf(kind).takeDenied(limit, counter, now, cost, chargeId)
        end
      end
      n = single.report(reply, n, limit, counter, now, cost, fits)
    end
  end
  from = from + 2 * count
end
reply[3], reply[4] = repaired, rebased
writeAll(KEYS, now, fields, changed, stale, tails, newTail, groupOf, definitionsOf, formatOf, counterPath)
return packed(reply, n - 1)
