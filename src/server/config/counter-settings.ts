import { z } from 'zod';
import { DENIAL_MEMORY } from '../../limiter/denials/denial-memory-option.js';
import { LEASES } from '../../limiter/lease/lease-options.js';
import { PRECISIONS } from '../../model/limit-parameters.js';
import { COUNTER_OPTIONS } from '../../options/counter-options.js';
import { settingsOf } from './setting-declaration.js';
import { numberOf } from './settings.js';

/** Settings of the counters in Redis and in memory. */
export const COUNTER_SETTINGS = {
  ...settingsOf(COUNTER_OPTIONS),
  TOLLGATE_DENIAL_MEMORY_MS: {
    reads: numberOf(DENIAL_MEMORY.maxAgeMs),
    flag: 'denial-memory-ms',
    value: 'N',
    description: 'time for which a caller denied by Redis is denied from memory; 0: never',
    docs: 'The maximum time, in milliseconds, for which an instance remembers that Redis has denied a caller. The instance denies further operations of the caller from memory, so that a flood of such operations causes little load on Redis. A refund by another instance may take effect up to this time later: see [limits.md](limits.md#callers-who-are-denied-again-and-again). With 0, every decision calls Redis.',
  },
  TOLLGATE_TIER_PRECISION: {
    reads: z.enum(PRECISIONS, `expected ${PRECISIONS.join(' or ')}`).default('EXACT'),
    flag: 'tier-precision',
    value: 'EXACT|LEASED',
    description: 'whether instances may lease tokens of tiers: see docs/leases.md',
    docs: 'With `LEASED`, an instance may take tokens from the tier buckets of callers in advance, and then decides without a call to Redis: see [leases.md](leases.md).',
  },
  TOLLGATE_LEASE_MS: {
    reads: numberOf(LEASES.lengthMs),
    flag: 'lease-ms',
    value: 'N',
    description: 'maximum time for which an instance holds leased tokens',
    docs: 'The maximum time, in milliseconds, for which an instance holds leased tokens before it spends or returns them. If Redis is in another region, set 5,000 to 10,000: see [regions.md](regions.md).',
  },
};
