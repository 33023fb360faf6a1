#!lua
-- Says that an instance is alive, counts those that are, and gives it its share of every limit for when Redis is away.
-- The shares that were given never come to more than the whole, however instances come and go: who joins waits for what
-- the others give up, and what one gives up is free once it has said that it knows.
--
-- KEYS[1]  a sorted set: the instances, by when they are taken for dead (milliseconds)
-- KEYS[2]  a hash: by instance, the divisor of the limits that it may be using
-- ARGV[1]  the instance
-- ARGV[2]  three numbers with spaces between them: for how many milliseconds it is alive (0: it leaves); the least that it
--          divides by; what it divides by now (0: it has not been told)
-- Reply    the number of instances alive; what this one may divide by: MAX_INSTANCES where nothing is left for it; how many
--          keys and members were none of ours, and are gone
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
-- No instance says that it is alive for an hour: one that would be is not ours, and would be counted for ever.
repaired = repaired + redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('%.0f', now + 3600000), '+inf')
if aliveMs == 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
  return { redis.call('ZCARD', KEYS[1]), MAX_INSTANCES, repaired }
end

local given = 0
local divisors = redis.call('HGETALL', KEYS[2])
for i = 1, #divisors, 2 do
  if divisors[i] ~= ARGV[1] then
    if redis.call('ZSCORE', KEYS[1], divisors[i]) then
      local theirs = tonumber(divisors[i + 1])
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
-- Thirds do not add up to one exactly.
local left = 1 - given + 1e-9
local divisor = math.max(count, least)
if left * divisor < 1 then
  divisor = left * MAX_INSTANCES > 1 and math.ceil(1 / left) or MAX_INSTANCES
end
divisor = math.min(divisor, MAX_INSTANCES)
-- Until it has heard of a smaller share it uses the one that it has.
local mayUse = (holds > 0 and holds < divisor) and holds or divisor
redis.call('HSET', KEYS[2], ARGV[1], string.format('%d', mayUse))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', aliveMs * 2))
redis.call('PEXPIRE', KEYS[2], string.format('%.0f', aliveMs * 2))
return { count, divisor, repaired }
