import type { CheckedRequest, EngineResult } from '../charge-request.js';
import type { Watch } from '../outage/deadlines.js';
import { createRequestWriter, type RequestWriter, type ScriptReply } from './encode-request.js';
import { keysFor } from './keys.js';
import type { Routes } from './routes.js';
import { SCRIPTS, type Script } from './scripts.js';

/** Charges on their way to Redis: those for one place that are made at the same time in one call. */
export interface ChargeQueue {
  charge(request: CheckedRequest, chargeId: string, pendingMs: number, watch?: Watch): Promise<EngineResult>;
  peek(request: CheckedRequest, chargeId: string, watch?: Watch): Promise<EngineResult>;
}

export interface ChargeQueueOptions {
  /** Sends a call; it is on its way when this returns. */
  call(script: Script, writer: RequestWriter): Promise<ScriptReply>;
  routes: Routes;
  isCluster: boolean;
  /** Charges in one call. */
  maxBatch: number;
}

type KeyOf = ReturnType<typeof keysFor>;

interface WaitingCharge {
  readonly request: CheckedRequest;
  readonly chargeId: string;
  readonly pendingMs: number;
  readonly keyOf: KeyOf;
  readonly resolve: (result: EngineResult) => void;
  readonly reject: (error: unknown) => void;
}

export function createChargeQueue({ call, routes, isCluster, maxBatch }: ChargeQueueOptions): ChargeQueue {
  const charges = createWaiting(SCRIPTS.charge);
  const peeks = createWaiting(SCRIPTS.peek);
  let flushing = false;

  /** Calls that are made in the same tick are sent together: for Node a command costs as much as deciding does Redis. */
  function createWaiting(script: Script) {
    const places = new Map<string, WaitingCharge[]>();

    return {
      sendAll() {
        for (const batch of places.values()) sendInBatches(script, batch);
        places.clear();
      },

      add(request: CheckedRequest, chargeId: string, pendingMs: number, watch?: Watch): Promise<EngineResult> {
        const keyOf = keysFor(request.subject);
        const key = isCluster ? keyOf(request.limits[0]!) : '';
        if (watch !== undefined) watch.line = routes.lineTo(key);
        const place = routes.placeOf(key);
        return new Promise((resolve, reject) => {
          let waiting = places.get(place);
          if (waiting === undefined) {
            waiting = [];
            places.set(place, waiting);
          }
          waiting.push({ request, chargeId, pendingMs, keyOf, resolve, reject });
          // Redis begins with a full call while this tick makes the next. Two that left together would come back together,
          // and each side would wait while the other works.
          if (waiting.length >= maxBatch) {
            places.delete(place);
            return sendInBatches(script, waiting);
          }
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

  function sendInBatches(script: Script, batch: WaitingCharge[]): void {
    let writer = createRequestWriter();
    let start = 0;
    for (let i = 0; i < batch.length; i++) {
      const { request, chargeId, pendingMs, keyOf } = batch[i]!;
      if (writer.count() < maxBatch && writer.addCharge(request, chargeId, pendingMs, keyOf)) continue;
      void answer(script, batch.slice(start, i), call(script, writer));
      writer = createRequestWriter();
      start = i;
      writer.addCharge(request, chargeId, pendingMs, keyOf);
    }
    void answer(script, start === 0 ? batch : batch.slice(start), call(script, writer));
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

  return {
    charge: charges.add,
    peek: (request, chargeId, watch) => peeks.add(request, chargeId, 0, watch),
  };
}
