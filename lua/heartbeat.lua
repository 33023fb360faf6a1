#!lua
-- Records the heartbeat of an instance, counts the live instances, and assigns the instance its
-- share of every limit: the limit divided by the divisor of the instance. The instance uses its
-- share while Redis is unavailable. The assigned shares never add up to more than the whole limit,
-- even while instances start and stop. So a new instance gets only what is left, until other
-- instances have confirmed smaller shares.
--
-- KEYS[1]  a sorted set: the instances, by the time at which they count as dead (milliseconds)
-- KEYS[2]  a hash: by instance, the divisor of the limits that it may be using
-- ARGV[1]  the instance: a random name, a dot, and the version of its time zone data
-- ARGV[2]  three numbers with spaces between them
--            time for which the instance counts as alive, in milliseconds (0: it shuts down)
--            its minimum divisor
--            its current divisor (0: none yet)
-- Reply    four values
--            live instances
--            the divisor of this instance; MAX_INSTANCES if no share is left for it
--            keys and members that Tollgate did not write, and that were removed
--            another version of time zone data that a live instance uses; '' if there is none
local aliveMs, least, holds = string.match(ARGV[2], '^(%d+) (%d+) (%d+)$')
aliveMs, least, holds = tonumber(aliveMs), tonumber(least), tonumber(holds)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local repaired = 0
for i, kind in ipairs({ 'zset', 'hash' }) do
  local found = redis.call('TYPE', KEYS[i]).ok
  if found ~= kind and found ~= 'none' then
    redis.call('DEL', KEYS[i])
    repaired = repaired + 1
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
-- Removes members whose time is more than an hour ahead. Tollgate did not write them, because no
-- heartbeat is valid that long. They would count as live instances permanently.
repaired = repaired + redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('%.0f', now + 3600000), '+inf')
if aliveMs == 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
  return { redis.call('ZCARD', KEYS[1]), MAX_INSTANCES, repaired, '' }
end

local given, zoneData, otherZoneData = 0, string.match(ARGV[1], '%.(.*)$'), ''
local divisors = redis.call('HGETALL', KEYS[2])
for i = 1, #divisors, 2 do
  if divisors[i] ~= ARGV[1] then
    if redis.call('ZSCORE', KEYS[1], divisors[i]) then
      local theirs, theirZoneData = tonumber(divisors[i + 1]), string.match(divisors[i], '%.(.*)$')
      -- Older instances have no version in their names.
      if theirZoneData and theirZoneData ~= zoneData then otherZoneData = theirZoneData end
      if theirs and theirs >= 1 then
        given = given + 1 / theirs
      else
        redis.call('HDEL', KEYS[2], divisors[i])
        repaired = repaired + 1
      end
    else
      redis.call('HDEL', KEYS[2], divisors[i])
    end
  end
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + aliveMs), ARGV[1])
local count = redis.call('ZCARD', KEYS[1])
-- The tolerance covers rounding errors, because fractions such as thirds do not add up exactly.
local left = 1 - given + 1e-9
local divisor = math.max(count, least)
if left * divisor < 1 then
  divisor = left * MAX_INSTANCES > 1 and math.ceil(1 / left) or MAX_INSTANCES
end
divisor = math.min(divisor, MAX_INSTANCES)
-- An instance uses its current share until it has received a smaller one.
local mayUse = (holds > 0 and holds < divisor) and holds or divisor
redis.call('HSET', KEYS[2], ARGV[1], string.format('%d', mayUse))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', aliveMs * 2))
redis.call('PEXPIRE', KEYS[2], string.format('%.0f', aliveMs * 2))
return { count, divisor, repaired, otherZoneData }
