#!lua
-- Says that an instance is alive, and counts those that are.
--
-- KEYS[1]  a sorted set: the instances, by when they are taken for dead (milliseconds)
-- ARGV[1]  the instance
-- ARGV[2]  for how many milliseconds it is alive; 0: it leaves
-- Reply    the number of instances alive
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local aliveMs = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if aliveMs > 0 then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + aliveMs), ARGV[1])
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', aliveMs * 2))
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return redis.call('ZCARD', KEYS[1])
