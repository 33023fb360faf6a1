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

/** Charges in Redis. Rejects when Redis does not answer; then nothing is known of the outcome. */
export interface RedisEngine {
  /**
   * Where several calls are needed, none follows once `watch` is over.
   * @param isDoubtful it may well be denied: what the narrowest limits refuse is not taken from others first
   */
  charge(
    request: CheckedRequest,
    chargeId: string,
    readOnly: boolean,
    watch?: Watch,
    isDoubtful?: boolean,
  ): Promise<EngineResult>;
  /** Charges, and tells one of the two what became of it: a promise more would be paid by every decision. */
  decide(
    request: CheckedRequest,
    chargeId: string,
    watch: Watch,
    isDoubtful: boolean,
    decided: OnDecided,
    failed: OnFailed,
  ): void;
  settle(charge: ChargeRecord, actual: Readonly<Record<string, number>>, watch?: Watch): Promise<void>;
  /** Takes what was admitted without Redis, whatever room there is. */
  count(charge: ChargeRecord): void;
  /** Empties the counters of these limits. */
  reset(request: CheckedRequest, watch?: Watch): Promise<void>;
  /** Says that an instance is alive, or leaves. */
  beat(heartbeat: Heartbeat, watch?: Watch): Promise<Pulse>;
  /** Asks whether Redis answers again: each node that does not, and the one that counts the instances. */
  probe(): Promise<void>;
  /** Resolves when all corrections are on their way; undefined: they are. */
  sent(): Promise<void> | undefined;
  readonly anomalies: Anomalies;
  /** Monotonic milliseconds: when Redis, or any node of it, last replied. */
  readonly repliedAtMs: number;
  close(): Promise<void>;
}

/** Charges in one call. More would save little, and let Redis and this process wait in turn. */
const MAX_BATCH = 32;

/**
 * On a Cluster, where a process may ask in bursts what takes each node several calls: two of them at a time, with the default deadline.
 * They take a node a millisecond: with several processes, less than the deadline.
 */
const CALLS_IN_TURN_PER_MS = 2 / 25;

const OF_NO_LIMITS: EngineResult = { admitted: true, clock: 0, now: 0, numbers: [], times: undefined };

interface RedisEngineOptions {
  runner: ScriptRunner;
  scheduler: ResumeScheduler;
  /** How long Redis may be silent. */
  deadlineMs: number;
  /** On a cluster: how long a charge may stay pending before others refund it. */
  pendingMs: number;
  /** On a cluster: called as a pending charge is being refunded, and when it was. */
  onCancel?: ((request: CheckedRequest) => void) | undefined;
}

export function createRedisEngine(options: RedisEngineOptions): RedisEngine {
  const { runner, scheduler, deadlineMs, pendingMs, onCancel = () => {} } = options;
  const { isCluster } = runner;
  const routes = createRoutes(runner, monotonicClock);

  /** Rejects whatever goes wrong. What waits for the reply does not hold the writer. */
  function call(script: Script, writer: RequestWriter): Promise<ScriptReply> {
    try {
      const made = writer.finish();
      const sent = !isCluster || isOneSlot(made.keys) ? script : ACROSS_SLOTS.get(script)!;
      return routes.track(routes.lineTo(made.keys[0]!), runner.run(sent, made));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  const maxCalls = isCluster ? Math.max(2, Math.floor(deadlineMs * CALLS_IN_TURN_PER_MS)) : Number.POSITIVE_INFINITY;
  const queue = createChargeQueue({ call, routes, isCluster, maxBatch: MAX_BATCH, maxCalls });
  const settlementQueue = createSettlementQueue({
    send: (writer) => call(SCRIPTS.settle, writer),
    scheduler,
    maxBatch: MAX_BATCH * 4,
  });
  const settlements = new Settlements({ queue: settlementQueue, routes, isCluster, pendingMs, onCancel });
  const inCluster = isCluster ? new ClusterCharges(queue, routes, settlements, pendingMs) : undefined;

  /** Of several lines the first is as good as another: none of them is waited for any longer. */
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

    async reset(request, watch) {
      waitFor(request, watch);
      await settlements.reset(request);
    },

    // It stands behind what was sent before it, as any other call.
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
    get repliedAtMs() {
      return routes.repliedAtMs;
    },
  };
}
