import { copiesOfKeys, copiesOfUsers, countersAlone } from '../callers/count-copies.js';
import type { Sample, Variant } from '../frame/bench.js';
import { measureOperations } from './measure-operations-of-limits.js';
import { measureServer } from './measure-server-cpu.js';
import { measureStoring } from './measure-storing.js';
import { measureUsageRows } from './measure-usage-rows.js';

/**
 * Measures all constants of the capacity plan, one part after the other. The unit is the end of the
 * name of a constant.
 */
export const measureCapacity: Variant = async (conditions) => {
  const one = await measureOperations(conditions, 1);
  const six = await measureOperations(conditions, 6);
  const bytes = {
    counters: bytesOf(await countersAlone(conditions)),
    keys: bytesOf(await copiesOfKeys(conditions)),
    users: bytesOf(await copiesOfUsers(conditions)),
  };
  const constants = {
    redisUsOfOneLimit: one.redisUs,
    redisUsOfSixLimits: six.redisUs,
    nodeUsOfOneLimit: one.nodeUs,
    nodeUsOfSixLimits: six.nodeUs,
    wireBytesOfOneLimit: one.wireBytes,
    wireBytesOfSixLimits: six.wireBytes,
    counterBytesOfOneLimit: bytes.counters.one,
    counterBytesOfSixLimits: bytes.counters.six,
    keyCopyBytes: bytes.keys.six - bytes.counters.six,
    userCopyBytes: bytes.users.six - bytes.counters.six,
    ...(await measureUsageRows()),
    ...(await measureStoring(conditions)),
    ...(await measureServer(conditions)),
  };
  return Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, { value }]));
};

function bytesOf(sample: unknown): { one: number; six: number } {
  const scenarios = sample as Sample;
  return { one: scenarios['a bucket']!['bytes']!, six: scenarios['a bucket and five windows']!['bytes']! };
}
