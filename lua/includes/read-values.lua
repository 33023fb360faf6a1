values = redis.call('MGET', unpack(KEYS))
