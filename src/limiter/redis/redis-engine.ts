import type { Limit } from '../algorithms/algorithm.js';
import {
  type Anomalies,
  type ChargeRecord,
  type CheckedRequest,
  type EngineResult,
  selectCharged,
} from '../charge-request.js';
import type { Watch } from '../outage/deadlines.js';
import { chargeAcrossSlots, peekEverySlot, type SlotOperations, splitBySlot } from './charge-across-slots.js';
import { createRequestWriter, type RequestWriter, type ScriptReply } from './encode-request.js';
import { hashTag, keysFor } from './keys.js';
import { ACTION } from './layout.js';
import { createLines, type Lines } from './lines.js';
import type { ResumeScheduler } from './resume-scheduler.js';
import type { ScriptRunner } from './run-script.js';
import { SCRIPTS, type Script } from './scripts.js';
import { createSettlementQueue } from './settlement-queue.js';
import { slotOf } from './slot-of.js';

/** Charges in Redis. Rejects when Redis does not answer; then nothing is known of the outcome. */
export interface RedisEngine {
  /** Where several calls are needed, none follows once `watch` is over. */
  charge(request: CheckedRequest, chargeId: string, readOnly: boolean, watch?: Watch): Promise<EngineResult>;
  settle(charge: ChargeRecord, actual: Readonly<Record<string, number>>): Promise<void>;
  /** Empties the counters of these limits: one script for each slot. */
  reset(request: CheckedRequest): Promise<void>;
  /** Resolves when all corrections are on their way; undefined: they are. */
  sent(): Promise<void> | undefined;
  readonly anomalies: Anomalies;
  /** Monotonic milliseconds: when Redis, or any node of it, last replied. */
  readonly repliedAtMs: number;
  close(): Promise<void>;
}

interface WaitingCharge {
  readonly request: CheckedRequest;
  readonly chargeId: string;
  readonly pendingMs: number;
  readonly resolve: (result: EngineResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Charges of one tick that go into one call. More would save little, and let Redis and this process wait in turn. */
const MAX_BATCH = 32;

export interface RedisEngineOptions {
  runner: ScriptRunner;
  scheduler: ResumeScheduler;
  /** On a cluster: how long a charge may stay pending before others give it back. */
  pendingMs: number;
}

export function createRedisEngine({ runner, scheduler, pendingMs }: RedisEngineOptions): RedisEngine {
  const lines: Lines = createLines(() => performance.now());
  const charges = createQueue(SCRIPTS.charge);
  const peeks = createQueue(SCRIPTS.peek);
  // By slot on a cluster, else all together.
  const settlements = createSettlementQueue({
    send: (writer, slot) => call(SCRIPTS.settle, writer, slot),
    scheduler,
    maxBatch: MAX_BATCH * 4,
  });
  let flushing = false;

  /** Calls that are made in the same tick are sent together: for Node a command costs as much as deciding does Redis. */
  function createQueue(script: Script) {
    let waiting: WaitingCharge[] = [];

    function sendAll(): void {
      const batch = waiting;
      waiting = [];
      for (const [tag, sameSlot] of bySlot(batch)) sendInBatches(script, tag, sameSlot);
    }

    return {
      sendAll,
      add(request: CheckedRequest, chargeId: string, pendingMs: number, watch?: Watch): Promise<EngineResult> {
        if (watch !== undefined) watch.line = lines.to(nodeOf(tagOf(request)));
        return new Promise((resolve, reject) => {
          waiting.push({ request, chargeId, pendingMs, resolve, reject });
          // Redis begins with a full call while this tick makes the next. Two that left together would come back together,
          // and each side would wait while the other works.
          if (waiting.length >= MAX_BATCH && !runner.isCluster) return sendAll();
          if (flushing) return;
          flushing = true;
          setImmediate(flush);
        });
      },
    };
  }

  function flush(): void {
    flushing = false;
    charges.sendAll();
    peeks.sendAll();
  }

  function tagOf({ subject, limits }: CheckedRequest): string {
    return runner.isCluster ? hashTag(keysFor(subject)(limits[0]!)) : '';
  }

  function nodeOf(tag: string): string {
    return runner.isCluster ? runner.nodeOf(slotOf(tag)) : '';
  }

  function bySlot(batch: WaitingCharge[]): Iterable<[tag: string, batch: WaitingCharge[]]> {
    if (!runner.isCluster) return batch.length > 0 ? [['', batch]] : [];
    const slots = new Map<string, WaitingCharge[]>();
    for (const waiting of batch) {
      const tag = tagOf(waiting.request);
      const others = slots.get(tag);
      if (others) others.push(waiting);
      else slots.set(tag, [waiting]);
    }
    return slots;
  }

  function sendInBatches(script: Script, tag: string, batch: WaitingCharge[]): void {
    let writer = createRequestWriter();
    let start = 0;
    for (let i = 0; i < batch.length; i++) {
      const { request, chargeId, pendingMs } = batch[i]!;
      const keyOf = keysFor(request.subject);
      if (writer.count() < MAX_BATCH && writer.addCharge(request, chargeId, pendingMs, keyOf)) continue;
      void answer(script, batch.slice(start, i), call(script, writer, tag));
      writer = createRequestWriter();
      start = i;
      writer.addCharge(request, chargeId, pendingMs, keyOf);
    }
    void answer(script, start === 0 ? batch : batch.slice(start), call(script, writer, tag));
  }

  /** Rejects whatever goes wrong. What waits for the reply does not hold the writer. */
  async function call(script: Script, writer: RequestWriter, tag: string): Promise<ScriptReply> {
    return lines.track(lines.to(nodeOf(tag)), runner.run(script, writer.finish()));
  }

  async function answer(script: Script, batch: readonly WaitingCharge[], replied: Promise<ScriptReply>): Promise<void> {
    try {
      const reply = await replied;
      const { clock, now } = reply;
      for (const { request, resolve } of batch) {
        const [verdict] = reply.read(1);
        const numbers = reply.read(request.numberCount);
        const wouldBe = script === SCRIPTS.peek ? reply.read(request.numberCount) : undefined;
        resolve({ admitted: verdict === 1, clock, now, numbers, times: undefined, wouldBe });
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function endPending(charge: ChargeRecord, action: number): void {
    const { subject, limits, costs } = charge.request;
    if (!costs.some((cost) => cost > 0)) return;
    const keyOf = keysFor(subject);
    const slot = hashTag(keyOf(limits[0]!));
    // Lost: others give the charge back at its deadline.
    settlements.add(slot, (writer) => writer.addEnd(charge, action, keyOf)).catch(() => {});
  }

  const slots: SlotOperations = {
    charge: (request, chargeId, pendingMs, watch) => charges.add(request, chargeId, pendingMs, watch),
    peek: (request, chargeId) => peeks.add(request, chargeId, 0),
    confirm: (charge) => endPending(charge, ACTION.CONFIRM),
    cancel: (charge) => endPending(charge, ACTION.CANCEL),
    pendingMs,
  };

  return {
    anomalies: runner.anomalies,
    sent: settlements.sent,

    get repliedAtMs() {
      return lines.repliedAtMs;
    },

    async charge(request, chargeId, readOnly, watch) {
      if (request.limits.length === 0) return { admitted: true, clock: 0, now: 0, numbers: [], times: undefined };
      if (runner.isCluster) {
        const keyOf = keysFor(request.subject);
        const parts = splitBySlot(request, (limit) => hashTag(keyOf(limit)));
        if (parts.length > 1) {
          return readOnly
            ? peekEverySlot(request, parts, chargeId, slots)
            : chargeAcrossSlots(request, parts, chargeId, slots, watch);
        }
      }
      return readOnly ? peeks.add(request, chargeId, 0, watch) : charges.add(request, chargeId, 0, watch);
    },

    async settle(charge, actual) {
      const keyOf = keysFor(charge.request.subject);
      if (!runner.isCluster) return settlements.add('', (writer) => writer.addCorrection(charge, actual, keyOf));
      const slotOf = (limit: Limit) => hashTag(keyOf(limit));
      await Promise.all(
        splitBySlot(charge.request, slotOf).map(({ places }) => {
          const part = selectCharged(charge, (place) => places.includes(place));
          return settlements.add(slotOf(part.request.limits[0]!), (writer) =>
            writer.addCorrection(part, actual, keyOf),
          );
        }),
      );
    },

    async reset(request) {
      const keyOf = keysFor(request.subject);
      const slotOf = (limit: Limit) => (runner.isCluster ? hashTag(keyOf(limit)) : '');
      await Promise.all(
        splitBySlot(request, slotOf).map((part) =>
          settlements.add(slotOf(part.request.limits[0]!), (writer) => writer.addReset(part.request, keyOf)),
        ),
      );
    },

    async close() {
      // What was just settled goes out first.
      await settlements.done().catch(() => {});
      await runner.close();
    },
  };
}
