import { type ChargeRequest, createLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { until } from '../../helpers/until.js';

// A separate process that charges as a history defines. It receives { request, times, lines,
// refundEvery }. It replies with the number of admitted operations without the refunded operations,
// and the number of operations that a lease covered without a call.

/** Error of the last decision without Redis, or undefined if Redis made all decisions. */
let failure: unknown;
const limiter = createLimiter({
  redis: process.argv[2]!,
  leases: { lengthMs: 50, after: 3 },
  deadlineMs: PATIENT_MS,
  observer: {
    failed({ error }) {
      failure = error;
    },
  },
});

interface Burst {
  request: ChargeRequest;
  /**
   * Number of operations of all lines together. Each line runs its operations one after the other.
   * The lines run in parallel.
   */
  times: number;
  lines: number;
  /** Every n-th admitted operation fails and is refunded. 0 disables refunds. */
  refundEvery: number;
}

process.on('message', async ({ request, times, lines, refundEvery }: Burst) => {
  const before = limiter.leases().decisions;
  let admitted = 0;
  let left = times;
  async function line(): Promise<void> {
    while (left-- > 0) {
      const decision = await limiter.charge(request);
      if (decision.degraded) throw new Error('Redis did not decide', { cause: failure });
      if (!decision.admitted) continue;
      admitted++;
      if (refundEvery === 0 || admitted % refundEvery !== 0) continue;
      admitted--;
      await limiter.settle(decision.receipt, Object.fromEntries(request.limits.map(({ id }) => [id, 0])));
    }
  }
  await Promise.all(Array.from({ length: lines }, line));
  process.send?.({ admitted, leased: limiter.leases().decisions - before });
});
process.once('disconnect', () => void limiter.close());
await limiter.opened;
// On a busy machine the first attempt to connect may time out.
await until('Redis answers', () => limiter.health().every(({ state }) => state === 'CLOSED'));
process.send?.('ready');
