#!lua
-- The floor: the minimum work of a script that stores six limits of three subjects in three packed
-- values. The limits are a token bucket and five sliding window counters. The script reads the
-- clock of Redis, makes one decision for all limits, and charges all of them or none. It has no
-- ids, no expiry per record, no shadow mode, no debt and no validation of the stored values.
--
-- KEYS  1 user: bucket, one window   2 tenant: two windows   3 address: two windows
-- ARGV  1 packed, 4 bytes each: cost for the bucket, capacity, tokens refilled per second, then per window: amount,
--         windowMs; each window is charged one
-- reply packed, 4 bytes each: remaining amount of each limit, as integers; empty: denied, nothing was charged
local call, unpack, pack, floor = redis.call, struct.unpack, struct.pack, math.floor

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)

local function window(index, current, previous, amount, windowMs)
  local running = floor(now / windowMs)
  if index ~= running then
    previous = index == running - 1 and current or 0
    current = 0
  end
  local left = amount - current - 1 - previous * (1 - now % windowMs / windowMs)
  return running, current + 1, previous, left
end

local cost, capacity, refill, aAmount, aMs, bAmount, bMs, cAmount, cMs, dAmount, dMs, eAmount, eMs =
  unpack('<I4I4I4I4I4I4I4I4I4I4I4I4I4', ARGV[1])
local values = call('MGET', KEYS[1], KEYS[2], KEYS[3])

local level, seen, ai, ac, ap = capacity, now, 0, 0, 0
if values[1] then level, seen, ai, ac, ap = unpack('<dddI4I4', values[1]) end
local bi, bc, bp, ci, cc, cp = 0, 0, 0, 0, 0, 0
if values[2] then bi, bc, bp, ci, cc, cp = unpack('<dI4I4dI4I4', values[2]) end
local di, dc, dp, ei, ec, ep = 0, 0, 0, 0, 0, 0
if values[3] then di, dc, dp, ei, ec, ep = unpack('<dI4I4dI4I4', values[3]) end

level = math.min(capacity, level + (now - seen) * refill / 1000) - cost
local aLeft, bLeft, cLeft, dLeft, eLeft
ai, ac, ap, aLeft = window(ai, ac, ap, aAmount, aMs)
bi, bc, bp, bLeft = window(bi, bc, bp, bAmount, bMs)
ci, cc, cp, cLeft = window(ci, cc, cp, cAmount, cMs)
di, dc, dp, dLeft = window(di, dc, dp, dAmount, dMs)
ei, ec, ep, eLeft = window(ei, ec, ep, eAmount, eMs)
if level < 0 or aLeft < 0 or bLeft < 0 or cLeft < 0 or dLeft < 0 or eLeft < 0 then return '' end

call('SET', KEYS[1], pack('<dddI4I4', level, now, ai, ac, ap), 'PX', '7200000')
call('SET', KEYS[2], pack('<dI4I4dI4I4', bi, bc, bp, ci, cc, cp), 'PX', '7200000')
call('SET', KEYS[3], pack('<dI4I4dI4I4', di, dc, dp, ei, ec, ep), 'PX', '7200000')
return pack('<I4I4I4I4I4I4', level, aLeft, bLeft, cLeft, dLeft, eLeft)
