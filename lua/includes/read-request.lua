-- Reads the definitions of limits and their groups from the request. `offset` is where the rest of
-- the request starts.

local offset = 3
do
  local count = unpackBytes('<H', request)
  -- One call reads all definitions. Lua's stack has room for 8,000 values.
  for from = 1, count, 512 do
    local some = math.min(512, count - from + 1)
    local read = { unpackBytes('<' .. string.rep(DEFINITION.FIELDS, some), request, offset) }
    if from == 1 then
      parameters = read
    else
      for i = 1, some * DEFINITION.SIZE do parameters[(from - 1) * DEFINITION.SIZE + i] = read[i] end
    end
    offset = offset + DEFINITION.BYTES * some
  end
  for d = 1, count * DEFINITION.SIZE, DEFINITION.SIZE do
    local kind, amount, capacity = parameters[d + DEFINITION.SHAPE], parameters[d + DEFINITION.FIRST], parameters[d + DEFINITION.CAPACITY]
    local isBad = kind < KIND.BUCKET or kind > KINDS.LAST_SHAPE or capacity < 1 or amount < 1
    if kind == KIND.BUCKET then
      -- Rejects a bucket whose refill takes longer than a record can store. The stored time would
      -- overflow.
      local period, most = parameters[d + DEFINITION.SECOND], MAX_FILL_MS * amount
      isBad = isBad or period < 1 or capacity * period > most or parameters[d + DEFINITION.MAX_DEBT] * period > most
    elseif parameters[d + DEFINITION.SECOND] > 0 then
      isBad = isBad or kind ~= KIND.FIXED
      calendars = calendars or {}
      calendars[#calendars + 1] = d
    end
    if isBad then return redis.error_reply('TOLLGATE a limit has bad parameters') end
  end
end

-- A partition has at most 64 counters, so a group has at most 64 limits.
local SHORTS = '<HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH'
local groups
groups, offset = unpackBytes('<H', request, offset)
for g = 1, groups do
  local count = unpackBytes('<B', request, offset)
  local definitions = { unpackBytes(string.sub(SHORTS, 1, 1 + count), request, offset + 1) }
  definitions[count + 1] = nil
  offset = offset + 1 + 2 * count
  local format, bytes = HEADER.FORMAT, HEADER.BYTES
  for i = 1, count do
    -- The request numbers the definitions from 1.
    local d = (definitions[i] - 1) * DEFINITION.SIZE + 1
    definitions[i] = d
    local kind = parameters[d + DEFINITION.SHAPE]
    local isSlow = kind > KIND.SLIDING
    if kind == KIND.BUCKET and parameters[d + DEFINITION.LEAKY] == 1 then
      -- Only the slow path computes how long an operation would wait.
      isSlow = parameters[d + DEFINITION.CAPACITY] * parameters[d + DEFINITION.SECOND] > MAX_DELAY_MS * parameters[d + DEFINITION.FIRST]
    end
    -- No value has a negative size, so a partition with other shapes is never read in one call.
    if isSlow then
      bytes = -math.huge
    elseif kind == KIND.BUCKET then
      format, bytes = format .. BUCKET.FIELDS, bytes + BUCKET.BYTES
    elseif kind == KIND.SLIDING then
      format, bytes = format .. SLIDING.FIELDS, bytes + SLIDING.BYTES
    else
      format, bytes = format .. FIXED.FIELDS, bytes + FIXED.BYTES
    end
  end
  definitionsOf[g], bytesOf[g] = definitions, bytes
  if bytes > 0 then formatOf[g] = format end
end
groupOf = { unpackBytes('<' .. string.rep('H', #KEYS), request, offset) }
offset = offset + 2 * #KEYS
