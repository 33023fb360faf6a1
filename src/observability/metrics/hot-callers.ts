import type { Gauge, Registry } from 'prom-client';
import type { OperationObserver } from '../../model/decision-record.js';
import type { Subject } from '../../model/subject.js';
import { createTopKeys, type TopKeys } from '../live/top-keys.js';

/** A rate is that of this long, the last one that is over. */
const PERIOD_MS = 10_000;
/** Told apart at a time: a caller who makes more than one in so many of a process' decisions is among them. */
const MAX_CALLERS = 32;

/**
 * Shows how many decisions a second the busiest caller of this process takes. No label says who it is, as a name would be a
 * series of its own for every caller: `liveTraffic` of the admin API names them.
 */
export function showHotCallers(
  registry: Registry,
  { now = () => performance.now() }: { now?: () => number } = {},
): Required<Pick<OperationObserver, 'onDecision'>> {
  let top: TopKeys<undefined> = createTopKeys(MAX_CALLERS);
  let startedMs = now();
  let perSecond = 0;

  /** A period without decisions ends without an event: it is looked at when it is over. */
  function endPeriod(nowMs: number): void {
    const elapsedMs = nowMs - startedMs;
    if (elapsedMs < PERIOD_MS) return;
    // What is certain: the sketch lends a caller what others were counted.
    const most = Math.max(0, ...top.list().map(({ atLeast }) => atLeast));
    perSecond = (most * 1000) / elapsedMs;
    top = createTopKeys(MAX_CALLERS);
    startedMs = nowMs;
  }

  const name = 'tollgate_hottest_caller_decisions_per_second';
  const help = 'Decisions a second of the busiest caller of this process, over the last ten seconds that are over.';
  const get = async () => {
    endPeriod(now());
    return { name, help, type: 'gauge', aggregator: 'max', values: [{ value: perSecond, labels: {} }] };
  };
  registry.registerMetric({ name, get } as unknown as Gauge);

  let sinceLook = 0;
  return {
    onDecision({ subject }) {
      // The time is looked at once in a while: more often than a period has decisions worth a name.
      if (++sinceLook >= 64) {
        sinceLook = 0;
        endPeriod(now());
      }
      top.count(keyOf(subject), nothing);
    },
  };
}

const nothing = () => undefined;

/** A caller with a user is that user, by whatever key they come. */
function keyOf({ tenant = '', user, apiKey, ip }: Subject): string {
  if (user !== undefined) return `u${tenant}\n${user}`;
  return apiKey !== undefined ? `k${tenant}\n${apiKey}` : `a${tenant}\n${ip}`;
}
