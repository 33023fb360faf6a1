#!lua
-- Corrects charges to what the operations really cost.
--
-- ARGV[1]  after the definitions: number of corrections 2, then for each
--          key 2, definition 2, charged 4, actual 4, time of the charge 6, charge id 6
-- Reply    clock, time decided by, repaired keys, rebased keys
-- include shared.lua

if not readDefinitions() then return redis.error_reply('TOLLGATE a limit has bad parameters') end
readPartitions()
local corrections
corrections, offset = unpackBytes('<H', request, offset)
for _ = 1, corrections do
  local key, d, charged, actual, stamp, chargeId
  key, d, charged, actual, stamp, chargeId, offset = unpackBytes('<HHI4I4I6c6', request, offset)
  local s = load(key, d)
  correct(s, d, stamp, chargeId, charged, actual)
  touch(key, s)
end
writeAll()
return { clock, now, repaired, rebased }
