import { monotonicClock } from '../../runtime/clock.js';
import { schedule } from '../../runtime/schedule.js';
import { withGetters } from '../../runtime/with-getters.js';
import {
  type Anomalies,
  type ChargeRecord,
  type CheckedRequest,
  type EngineResult,
  type OnDecided,
  type OnFailed,
  selectCharged,
} from '../charge/charge-request.js';
import {
  chargeAcrossSlots,
  type Part,
  type PartOperations,
  peekEveryPart,
  splitIntoParts,
} from './charge-across-slots.js';
import { createChargeQueue } from './charge-queue.js';
import type { Watch } from './deadlines.js';
import type { Heartbeat, Pulse } from './instances.js';
import { keysFor } from './keys.js';
import { ACTION } from './layout.js';
import { createLostConfirmations } from './lost-confirmations.js';
import type { ScriptReply } from './read-reply.js';
import type { RequestWriter } from './request-writer.js';
import type { ResumeScheduler } from './resume-scheduler.js';
import { createRoutes, isOneSlot, isRefusedForSlots } from './routes.js';
import { INSTANCES_KEYS, type ScriptRunner } from './run-script.js';
import { ACROSS_SLOTS, SCRIPTS, type Script } from './scripts.js';
import { createSettlementQueue } from './settlement-queue.js';

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

export function createRedisEngine({
  runner,
  scheduler,
  deadlineMs,
  pendingMs,
  onCancel = () => {},
}: RedisEngineOptions): RedisEngine {
  const { isCluster } = runner;
  const routes = createRoutes(runner, monotonicClock);
  const queue = createChargeQueue({
    call,
    routes,
    isCluster,
    maxBatch: MAX_BATCH,
    maxCalls: isCluster ? Math.max(2, Math.floor(deadlineMs * CALLS_IN_TURN_PER_MS)) : Number.POSITIVE_INFINITY,
  });
  const settlements = createSettlementQueue({
    send: (writer) => call(SCRIPTS.settle, writer),
    scheduler,
    maxBatch: MAX_BATCH * 4,
  });

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

  /** Of several lines the first is as good as another: none of them is waited for any longer. */
  function waitFor({ subject, limits }: CheckedRequest, watch: Watch | undefined): void {
    if (watch === undefined || limits.length === 0) return;
    watch.line = routes.lineTo(isCluster ? keysFor(subject)(limits[0]!) : '');
  }

  function partsOf(request: CheckedRequest, placeOf = routes.placeOf): Part[] {
    const keyOf = keysFor(request.subject);
    return splitIntoParts(request, (limit) => placeOf(keyOf(limit)));
  }

  /** Adds what is to be done with a charge to the calls for its places. No promise of its own: most charges pass here. */
  function settleParts(
    charge: ChargeRecord,
    add: (writer: RequestWriter, part: ChargeRecord) => boolean,
  ): Promise<void> {
    if (charge.request.limits.length === 0) return Promise.resolve();
    return isCluster ? settleInCluster(charge, add) : settlements.add('', (writer) => add(writer, charge));
  }

  /** The same to the calls for its slots, where one is refused. */
  async function settleInCluster(
    charge: ChargeRecord,
    add: (writer: RequestWriter, part: ChargeRecord) => boolean,
    placeOf = routes.placeOf,
  ): Promise<void> {
    const keyOf = keysFor(charge.request.subject);
    const all = partsOf(charge.request, placeOf).map(async ({ request, places }) => {
      const part = request === charge.request ? charge : selectCharged(charge, (place) => places.includes(place));
      const place = placeOf(keyOf(request.limits[0]!));
      try {
        await settlements.add(place, (writer) => add(writer, part));
      } catch (error) {
        if (!isRefusedForSlots(error) || placeOf !== routes.placeOf) throw error;
        routes.sendSlotBySlot();
        await settleInCluster(part, add, routes.slotPlaceOf);
      }
    });
    if (all.length === 1) await all[0];
    else await Promise.all(all);
  }

  async function endPending(charge: ChargeRecord, action: number, lost: () => void = () => {}): Promise<void> {
    if (!charge.request.costs.some((cost) => cost > 0)) return;
    const add = (writer: RequestWriter, part: ChargeRecord) =>
      writer.addEnd(part, action, keysFor(part.request.subject), action === ACTION.CONFIRM_AGAIN ? pendingMs : 0);
    await settleParts(charge, add).catch(lost);
  }

  function cancel(charge: ChargeRecord): void {
    const notify = () => onCancel(charge.request);
    notify();
    // Lost: others refund the charge at its deadline.
    void endPending(charge, ACTION.CANCEL).then(notify);
  }

  function confirm(charge: ChargeRecord, action: number = ACTION.CONFIRM): Promise<void> {
    return endPending(charge, action, () => lostConfirmations.keep(charge));
  }

  const lostConfirmations = createLostConfirmations({
    confirmAgain: (charge) => confirm(charge, ACTION.CONFIRM_AGAIN),
    clock: monotonicClock,
    schedule,
  });

  const operations: PartOperations = {
    charge: (request, chargeId, forMs, watch) => queue.charge(request, chargeId, forMs, watch),
    confirm: (charge) => void confirm(charge),
    cancel,
    pendingMs,

    splitAfter(error, { request }) {
      if (!isRefusedForSlots(error)) return undefined;
      routes.sendSlotBySlot();
      return partsOf(request, routes.slotPlaceOf);
    },

    async peek(request, chargeId, watch) {
      try {
        return await queue.peek(request, chargeId, watch);
      } catch (error) {
        const smaller = operations.splitAfter(error, { request, places: [] });
        if (smaller === undefined) throw error;
        return peekEveryPart(request, smaller, chargeId, operations);
      }
    },
  };

  async function chargeInCluster(
    request: CheckedRequest,
    chargeId: string,
    readOnly: boolean,
    watch: Watch | undefined,
    isDoubtful: boolean | undefined,
  ): Promise<EngineResult> {
    const parts = partsOf(request);
    if (readOnly) {
      return parts.length > 1
        ? peekEveryPart(request, parts, chargeId, operations)
        : operations.peek(request, chargeId, watch);
    }
    if (parts.length > 1) return chargeAcrossSlots(request, parts, chargeId, operations, watch, isDoubtful);
    try {
      return await queue.charge(request, chargeId, 0, watch);
    } catch (error) {
      const smaller = operations.splitAfter(error, parts[0]!);
      if (smaller === undefined) throw error;
      return chargeAcrossSlots(request, smaller, chargeId, operations, watch, isDoubtful);
    }
  }

  function charge(
    request: CheckedRequest,
    chargeId: string,
    readOnly: boolean,
    watch?: Watch,
    isDoubtful?: boolean,
  ): Promise<EngineResult> {
    if (request.limits.length === 0) return Promise.resolve(OF_NO_LIMITS);
    if (isCluster) return chargeInCluster(request, chargeId, readOnly, watch, isDoubtful);
    return readOnly ? queue.peek(request, chargeId, watch) : queue.charge(request, chargeId, 0, watch);
  }

  return withGetters<RedisEngine, 'repliedAtMs'>(
    {
      anomalies: runner.anomalies,
      sent: settlements.sent,

      charge,

      decide(request, chargeId, watch, isDoubtful, decided, failed) {
        const { limits, impossible } = request;
        if (limits.length > 0 && !isCluster && !impossible) queue.decide(request, chargeId, watch, decided, failed);
        else charge(request, chargeId, impossible, watch, isDoubtful).then(decided, failed);
      },

      // Nothing of it is pending, and what is confirmed without that is taken.
      count: (charge) => void endPending(charge, ACTION.CONFIRM),

      settle(charge, actual, watch) {
        waitFor(charge.request, watch);
        for (const lost of lostConfirmations.take(charge.chargeId)) void confirm(lost, ACTION.CONFIRM_AGAIN);
        return settleParts(charge, (writer, part) => writer.addCorrection(part, actual, keysFor(part.request.subject)));
      },

      async reset(request, watch) {
        waitFor(request, watch);
        const ofNoCharge = { request, chargeId: '', time: { clock: 0, now: 0 }, times: undefined };
        await settleParts(ofNoCharge, (writer, part) => writer.addReset(part.request, keysFor(request.subject)));
      },

      // It stands behind what was sent before it, as any other call.
      beat(heartbeat, watch) {
        const line = routes.lineTo(INSTANCES_KEYS[1]);
        if (watch !== undefined) watch.line = line;
        return routes.track(line, runner.beat(heartbeat));
      },

      probe: () => runner.probe(isCluster ? routes.failing(deadlineMs) : []),

      async close() {
        // What was just settled goes out first.
        await settlements.done().catch(() => {});
        await lostConfirmations.close();
        await runner.close();
      },
    },
    {
      get repliedAtMs() {
        return routes.repliedAtMs;
      },
    },
  );
}
