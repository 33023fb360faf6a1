-- Reads the definitions of limits and their groups from the request. `offset` is where the rest of
-- the request starts.

local offset = 3
for d = 1, unpackBytes('<H', request) do
  shape[d], leaky[d], hasSlots[d], shadow[d], countDenied[d], id[d], capacity[d], first[d], second[d], maxDebt[d], maxDelayMs[d], offset =
    unpackBytes(DEFINITION.FORMAT, request, offset)
  -- Rejects bad parameters. In a bucket whose refill takes too long, the stored time would
  -- overflow.
  if
    shape[d] < KIND.BUCKET
    or shape[d] > KINDS.LAST_SHAPE
    or capacity[d] < 1
    or first[d] < 1
    or shape[d] == KIND.BUCKET
      and (second[d] < 1 or capacity[d] * second[d] > MAX_FILL_MS * first[d] or maxDebt[d] * second[d] > MAX_FILL_MS * first[d])
  then
    return redis.error_reply('TOLLGATE a limit has bad parameters')
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
  local places, place, buckets = four(), 1 + HEADER.SIZE, {}
  for i = 1, count do
    local kind = shape[definitions[i]]
    places[i] = place
    local isSlow = false
    if kind == KIND.BUCKET then
      local d = definitions[i]
      buckets[#buckets + 1] = place
      -- Only the slow path computes how long an operation would wait.
      isSlow = leaky[d] == 1 and capacity[d] * second[d] > MAX_DELAY_MS * first[d]
    end
    place = place + (kind == KIND.FIXED and FIXED.SIZE or SLIDING.SIZE)
    -- No value has a negative size, so a partition that needs the slow path is never read in one
    -- call.
    if kind <= KIND.SLIDING and not isSlow then
      format, bytes = format .. RECORD_FORMATS[kind], bytes + RECORD_BYTES[kind]
    else
      bytes = -math.huge
    end
  end
  definitionsOf[g], bytesOf[g], placesOf[g], bucketsOf[g] = definitions, bytes, places, buckets
  if bytes > 0 then formatOf[g] = format end
end
groupOf = { unpackBytes('<' .. string.rep('H', #KEYS), request, offset) }
offset = offset + 2 * #KEYS
