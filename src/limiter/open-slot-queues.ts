import { randomBytes } from 'node:crypto';
import { scheduleAwaited } from '../runtime/schedule.js';
import { TIMINGS } from '../runtime/timings.js';
import type { CheckedRequest } from './charge/checked-request.js';
import type { Decision, PeekedStates, Receipt } from './charge/decision.js';
import { DEFAULT_POOL } from './charge/is-pool-name.js';
import { PeerNotices } from './queue/peer-notices.js';
import { SlotQueues } from './queue/slot-queues.js';
import type { RedisPools } from './redis-pools.js';

interface SlotQueueParts {
  pools: RedisPools;
  charge(request: CheckedRequest, pool: string | undefined): Promise<Decision>;
  peek(request: CheckedRequest, pool: string | undefined): Promise<PeekedStates>;
  refund(receipt: Receipt, request: CheckedRequest): void;
}

/**
 * Opens the queues of operations that wait for slots. The first charge that may wait subscribes to
 * the notices of other processes; without such charges, there is no subscription.
 */
export function openSlotQueues({ pools, ...charges }: SlotQueueParts): SlotQueues {
  const process = randomBytes(9).toString('base64url');
  const notices = new Map<string, PeerNotices>();

  const queues: SlotQueues = new SlotQueues({
    ...charges,
    timings: { ...TIMINGS, scheduleAwaited },
    notices: (pool = DEFAULT_POOL) => notices.get(pool),
    openNotices(pool = DEFAULT_POOL) {
      if (notices.has(pool)) return true;
      const channel = pools.of(pool)?.channel;
      if (channel === undefined) return false;
      const onFreed = (key: string) => queues.freedElsewhere(pool, key);
      notices.set(pool, new PeerNotices({ channel, process, timings: TIMINGS, onFreed }));
      return true;
    },
    closeNotices() {
      for (const each of notices.values()) each.close();
    },
  });
  return queues;
}
