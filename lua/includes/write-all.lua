-- Writes the changed partitions, after all decisions.

-- Updates the fields `read` of a partition with `count` records: the second of the next sweep, and
-- the times at which buckets are empty. Returns false if the slow path has to write the partition,
-- because a record is empty and has to be removed, or because the key expires too early.
local function renew(read, count, now)
  local at, earliest, latest = 1 + HEADER.SIZE, math.huge, 0
  for _ = 1, count do
    local kind, emptyAt = read[at + RECORD.KIND], read[at + RECORD.EMPTY_AT]
    if kind == KIND.BUCKET then
      local taken, amount = read[at + BUCKET.TAKEN], read[at + BUCKET.AMOUNT]
      if taken <= 0 then return false end
      emptyAt = now + (taken + -taken % amount) / amount
      read[at + BUCKET.EMPTY_AT] = emptyAt
      at = at + BUCKET.SIZE
    elseif kind == KIND.SLIDING then
      if read[at + SLIDING.CURRENT] <= 0 then return false end
      at = at + SLIDING.SIZE
    else
      if read[at + FIXED.COUNT] <= 0 then return false end
      at = at + FIXED.SIZE
    end
    if emptyAt < earliest then earliest = emptyAt end
    if emptyAt > latest then latest = emptyAt end
  end
  if read[1 + HEADER.EXPIRES_AT] * 1000 < latest or earliest > 4e12 then return false end
  read[1 + HEADER.SWEEP_AT] = (earliest - earliest % 1000) / 1000
  return true
end

-- Writes each partition that still contains exactly its group. `counterPath().write(k)` writes the
-- others.
--   fields, changed, stale, tails, newTail, groupOf     by the number of the key: see state.lua
--   definitionsOf, formatOf                             by the number of the group
local function writeAll(keys, now, fields, changed, stale, tails, newTail, groupOf, definitionsOf, formatOf, counterPath)
  -- Locals are registers of this function, and each is used for every key.
  local call, pack, unpackAll = redis.call, packBytes, unpack
  for k = 1, #keys do
    local read = fields[k]
    local isWritten = read and true
    if read and changed[k] then
      local g = groupOf[k]
      if stale[k] then
        isWritten = renew(read, #definitionsOf[g], now)
      else
        -- No record becomes empty before the time that was stored for it, so the time of the next
        -- sweep need not change.
        local at = 1 + HEADER.SIZE
        for _ = 1, #definitionsOf[g] do
          local kind = read[at + RECORD.KIND]
          if kind == KIND.BUCKET then
            local taken, amount = read[at + BUCKET.TAKEN], read[at + BUCKET.AMOUNT]
            local emptyAt = now + (taken + -taken % amount) / amount
            if taken <= 0 or emptyAt > read[1 + HEADER.EXPIRES_AT] * 1000 then isWritten = false end
            read[at + BUCKET.EMPTY_AT] = emptyAt
          end
          at = at + (kind == KIND.FIXED and FIXED.SIZE or SLIDING.SIZE)
        end
      end
      if isWritten then
        read[1 + HEADER.SEEN_AT] = now
        if newTail[k] then
          local tail = tails[k]
          read[1 + HEADER.VERSION] = tail == '' and VERSION.RECORDS or VERSION.PENDING
          call('SET', keys[k], pack(formatOf[g], unpackAll(read)) .. tail, 'KEEPTTL')
        else
          call('SETRANGE', keys[k], '0', pack(formatOf[g], unpackAll(read)))
        end
      end
    end
    if not isWritten then counterPath().write(k) end
  end
end
