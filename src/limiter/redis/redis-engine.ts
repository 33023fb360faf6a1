import { monotonicClock } from '../../runtime/clock.js';
import type {
  Anomalies,
  ChargeRecord,
  CheckedRequest,
  EngineResult,
  OnDecided,
  OnFailed,
} from '../charge/checked-request.js';
import { createChargeQueue } from './charge-queue.js';
import { ClusterCharges } from './cluster-charges.js';
import { INSTANCES_KEYS, type ScriptRunner } from './create-script-runner.js';
import type { Watch } from './deadlines.js';
import type { Heartbeat, Pulse } from './instances.js';
import { keysFor } from './keys-for.js';
import type { ScriptReply } from './read-reply.js';
import type { RequestWriter } from './request-writer.js';
import type { ResumeScheduler } from './resume-scheduler.js';
import { createRoutes, isOneSlot } from './routes.js';
import { ACROSS_SLOTS, SCRIPTS, type Script } from './scripts.js';
import { createSettlementQueue } from './settlement-queue.js';
import { Settlements } from './settlements.js';

/**
 * Charges in Redis. A call rejects if Redis does not reply; it is then unknown whether Redis
 * executed the call.
 */
export interface RedisEngine {
  /**
   * Charges or peeks. If several calls are needed, no further one is sent after this process has
   * denied the charge (`watch.isDenied`).
   * @param isDoubtful whether a denial is likely; the narrowest limits then decide before others
   * are charged
   */
  charge(
    request: CheckedRequest,
    chargeId: string,
    readOnly: boolean,
    watch?: Watch,
    isDoubtful?: boolean,
  ): Promise<EngineResult>;
  /**
   * Charges, or peeks if the request can never be admitted (`impossible`). Calls one of the two
   * callbacks, because a second promise would slow every decision.
   */
  decide(
    request: CheckedRequest,
    chargeId: string,
    watch: Watch,
    isDoubtful: boolean,
    decided: OnDecided,
    failed: OnFailed,
  ): void;
  /** Corrects a charge to the actual costs by limit id. Absent limits keep their charges. */
  settle(charge: ChargeRecord, actual: Readonly<Record<string, number>>, watch?: Watch): Promise<void>;
  /** Charges an operation that was admitted without Redis, even if the limits lack room. */
  count(charge: ChargeRecord): void;
  /** Makes the concurrency slots of a charge end `leaseMs` from now. */
  renew(slots: ChargeRecord, watch?: Watch): Promise<void>;
  /** Resets the counters of these limits. */
  reset(request: CheckedRequest, watch?: Watch): Promise<void>;
  /** Reports that an instance is alive or shuts down. */
  beat(heartbeat: Heartbeat, watch?: Watch): Promise<Pulse>;
  /**
   * Checks whether Redis responds again: each failing node, and the one that counts the instances.
   */
  probe(): Promise<void>;
  /** Resolves when all corrections are sent; undefined if they already are. */
  sent(): Promise<void> | undefined;
  readonly anomalies: Anomalies;
  /**
   * Time of the last reply of Redis or any node of it, except errors, in monotonic milliseconds.
   */
  repliedAtMs(): number;
  close(): Promise<void>;
}

/**
 * Maximum number of charges in one call. Larger calls would save little, and would make Redis and
 * this process wait for each other in turn.
 */
const MAX_BATCH = 32;

/**
 * Maximum number of calls in flight to a node of a Cluster, per millisecond of the deadline: two
 * with the default deadline. A process may send bursts of several calls per node. A node needs
 * about a millisecond for each call, so that the wait stays below the deadline even with several
 * processes.
 */
const CALLS_IN_TURN_PER_MS = 2 / 25;

const OF_NO_LIMITS: EngineResult = { admitted: true, clock: 0, now: 0, numbers: [], times: undefined };

interface RedisEngineOptions {
  runner: ScriptRunner;
  scheduler: ResumeScheduler;
  /** Maximum silence of Redis, in milliseconds. */
  deadlineMs: number;
  /**
   * On a Cluster: time for which a charge may stay pending before other instances refund it, in
   * milliseconds.
   */
  pendingMs: number;
  /** On a Cluster: called when the refund of a pending charge starts, and when it ends. */
  onCancel?: ((request: CheckedRequest) => void) | undefined;
}

export function createRedisEngine(options: RedisEngineOptions): RedisEngine {
  const { runner, scheduler, deadlineMs, pendingMs, onCancel = () => {} } = options;
  const { isCluster } = runner;
  const routes = createRoutes(runner, monotonicClock);

  /** Sends a call; every failure is a rejection. A pending reply does not retain the writer. */
  function call(script: Script, writer: RequestWriter): Promise<ScriptReply> {
    try {
      const made = writer.finish(runner.timeMs());
      const sent = !isCluster || isOneSlot(made.keys) ? script : ACROSS_SLOTS.get(script)!;
      return routes.track(routes.lineTo(made.keys[0]!), runner.run(sent, made));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  const maxCalls = isCluster ? Math.max(2, Math.floor(deadlineMs * CALLS_IN_TURN_PER_MS)) : Number.POSITIVE_INFINITY;
  const settlementQueue = createSettlementQueue({
    send: (writer) => call(SCRIPTS.charge, writer),
    scheduler,
    maxBatch: MAX_BATCH * 4,
  });
  const takeCorrections = settlementQueue.take;
  const queue = createChargeQueue({ call, takeCorrections, routes, isCluster, maxBatch: MAX_BATCH, maxCalls });
  const settlements = new Settlements({ queue: settlementQueue, routes, isCluster, pendingMs, onCancel });
  const inCluster = isCluster ? new ClusterCharges(queue, routes, settlements, pendingMs) : undefined;

  /**
   * Makes the deadline (`watch`) depend on the line of a call. If the call uses several lines, any
   * of them will do, because the call waits equally long for each.
   */
  function waitFor({ subject, limits }: CheckedRequest, watch: Watch | undefined): void {
    if (watch === undefined || limits.length === 0) return;
    watch.line = routes.lineTo(isCluster ? keysFor(subject)(limits[0]!) : '');
  }

  function charge(
    request: CheckedRequest,
    chargeId: string,
    readOnly: boolean,
    watch?: Watch,
    isDoubtful?: boolean,
  ): Promise<EngineResult> {
    if (request.limits.length === 0) return Promise.resolve(OF_NO_LIMITS);
    if (inCluster !== undefined) return inCluster.charge(request, chargeId, readOnly, watch, isDoubtful);
    return readOnly ? queue.peek(request, chargeId, watch) : queue.charge(request, chargeId, 0, watch);
  }

  return {
    anomalies: runner.anomalies,
    sent: settlementQueue.sent,
    charge,

    decide(request, chargeId, watch, isDoubtful, decided, failed) {
      const { limits, impossible } = request;
      if (limits.length > 0 && !isCluster && !impossible) queue.decide(request, chargeId, watch, decided, failed);
      else charge(request, chargeId, impossible, watch, isDoubtful).then(decided, failed);
    },

    count: (made) => settlements.count(made),

    settle(made, actual, watch) {
      waitFor(made.request, watch);
      return settlements.settle(made, actual);
    },

    renew(slots, watch) {
      waitFor(slots.request, watch);
      return settlements.renew(slots);
    },

    async reset(request, watch) {
      waitFor(request, watch);
      await settlements.reset(request);
    },

    // A heartbeat is queued behind earlier calls, as any other call is.
    beat(heartbeat, watch) {
      const line = routes.lineTo(INSTANCES_KEYS[1]);
      if (watch !== undefined) watch.line = line;
      return routes.track(line, runner.beat(heartbeat));
    },

    probe: () => runner.probe(isCluster ? routes.failing(deadlineMs) : []),

    async close() {
      await settlements.close();
      await runner.close();
    },
    repliedAtMs: () => routes.repliedAtMs(),
  };
}
