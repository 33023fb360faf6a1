import type { CheckedRequest, EngineResult, OnDecided, OnFailed } from '../charge/charge-request.js';
import type { Watch } from './deadlines.js';
import { createRequestWriter, type RequestWriter, type ScriptReply } from './encode-request.js';
import { type KeyOf, keysFor } from './keys.js';
import type { Routes } from './routes.js';
import { SCRIPTS, type Script } from './scripts.js';

/** Charges on their way to Redis: those for one place that are made at the same time in one call. */
interface ChargeQueue {
  charge(request: CheckedRequest, chargeId: string, pendingMs: number, watch?: Watch): Promise<EngineResult>;
  /** The same, which tells one of the two what became of it: a promise more would be paid by every decision. */
  decide(request: CheckedRequest, chargeId: string, watch: Watch, decided: OnDecided, failed: OnFailed): void;
  peek(request: CheckedRequest, chargeId: string, watch?: Watch): Promise<EngineResult>;
}

interface ChargeQueueOptions {
  /** Sends a call; it is on its way when this returns. */
  call(script: Script, writer: RequestWriter): Promise<ScriptReply>;
  routes: Routes;
  isCluster: boolean;
  /** Charges in one call. */
  maxBatch: number;
  /**
   * Calls that are under way to one place. The rest waits here, and goes in the next call when one is answered: Redis serves
   * a connection until it is through with all that this has sent, and meanwhile keeps the other processes waiting.
   */
  maxCalls: number;
}

interface WaitingCharge {
  readonly request: CheckedRequest;
  readonly chargeId: string;
  readonly pendingMs: number;
  readonly keyOf: KeyOf;
  readonly resolve: (result: EngineResult) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits for one place, and how many calls are on their way there. */
interface Place {
  readonly name: string;
  waiting: WaitingCharge[];
  calls: number;
}

export function createChargeQueue({ call, routes, isCluster, maxBatch, maxCalls }: ChargeQueueOptions): ChargeQueue {
  const charges = createWaiting(SCRIPTS.charge);
  const peeks = createWaiting(SCRIPTS.peek);
  let flushing = false;

  /** Calls that are made in the same tick are sent together: for Node a command costs as much as deciding does Redis. */
  function createWaiting(script: Script) {
    const places = new Map<string, Place>();
    /** Where the charge before this one went, as long as it is among them. */
    let latest: Place | undefined;

    function placeOf(name: string): Place {
      if (latest?.name === name) return latest;
      let place = places.get(name);
      if (place === undefined) {
        place = { name, waiting: [], calls: 0 };
        places.set(name, place);
      }
      latest = place;
      return place;
    }

    function send(place: Place): void {
      while (place.waiting.length > 0 && place.calls < maxCalls) {
        const rest = place.waiting.length > maxBatch ? place.waiting.splice(maxBatch) : [];
        const batch = place.waiting;
        place.waiting = rest;
        sendInBatches(script, batch, () => answered(place), place);
      }
    }

    function answered(place: Place): void {
      place.calls--;
      if (place.waiting.length > 0) flushSoon();
      // Nodes of a Cluster come and go.
      else if (place.calls === 0 && isCluster) {
        places.delete(place.name);
        latest = undefined;
      }
    }

    return {
      sendAll() {
        for (const place of places.values()) send(place);
      },

      add(
        request: CheckedRequest,
        chargeId: string,
        pendingMs: number,
        watch: Watch | undefined,
        resolve: WaitingCharge['resolve'],
        reject: WaitingCharge['reject'],
      ): void {
        const keyOf = keysFor(request.subject);
        const key = isCluster ? keyOf(request.limits[0]!) : '';
        if (watch !== undefined) watch.line = routes.lineTo(key);
        const place = placeOf(routes.placeOf(key));
        place.waiting.push({ request, chargeId, pendingMs, keyOf, resolve, reject });
        // Redis begins with a full call while this tick makes the next. Two that left together would come back together,
        // and each side would wait while the other works.
        if (place.waiting.length >= maxBatch) send(place);
        if (place.waiting.length > 0 && place.calls < maxCalls) flushSoon();
      },
    };
  }

  function flushSoon(): void {
    if (flushing) return;
    flushing = true;
    setImmediate(flush);
  }

  function flush(): void {
    flushing = false;
    charges.sendAll();
    peeks.sendAll();
  }

  function sendInBatches(script: Script, batch: readonly WaitingCharge[], done: () => void, place: Place): void {
    let writer = createRequestWriter();
    let start = 0;
    const sendUntil = (end: number) => {
      place.calls++;
      void answer(
        script,
        start === 0 && end === batch.length ? batch : batch.slice(start, end),
        call(script, writer),
        done,
      );
    };
    for (let i = 0; i < batch.length; i++) {
      const { request, chargeId, pendingMs, keyOf } = batch[i]!;
      if (writer.addCharge(request, chargeId, pendingMs, keyOf)) continue;
      sendUntil(i);
      writer = createRequestWriter();
      start = i;
      writer.addCharge(request, chargeId, pendingMs, keyOf);
    }
    sendUntil(batch.length);
  }

  async function answer(
    script: Script,
    batch: readonly WaitingCharge[],
    replied: Promise<ScriptReply>,
    done: () => void,
  ): Promise<void> {
    let answered = 0;
    try {
      const reply = await replied;
      const { clock, now } = reply;
      for (const charge of batch) {
        const { numberCount } = charge.request;
        const [verdict] = reply.read(1);
        const numbers = reply.read(numberCount);
        const wouldBe = script === SCRIPTS.peek ? reply.read(numberCount) : undefined;
        answered++;
        tell(charge, { admitted: verdict === 1, clock, now, numbers, times: undefined, wouldBe });
      }
    } catch (error) {
      // A reply that is too short still says what became of the first ones: they are not told again.
      for (; answered < batch.length; answered++) tellFailure(batch[answered]!, error);
    } finally {
      done();
    }
  }

  return {
    charge: (request, chargeId, pendingMs, watch) =>
      new Promise((resolve, reject) => charges.add(request, chargeId, pendingMs, watch, resolve, reject)),
    decide: (request, chargeId, watch, decided, failed) => charges.add(request, chargeId, 0, watch, decided, failed),
    peek: (request, chargeId, watch) =>
      new Promise((resolve, reject) => peeks.add(request, chargeId, 0, watch, resolve, reject)),
  };
}

/** What goes wrong as one is told is no mistake of the others that came with the same reply. */
function tell(charge: WaitingCharge, result: EngineResult): void {
  try {
    charge.resolve(result);
  } catch (error) {
    tellFailure(charge, error);
  }
}

/** What this throws becomes an unhandled rejection, so that the other charges of the reply are told all the same. */
function tellFailure({ reject }: WaitingCharge, error: unknown): void {
  try {
    reject(error);
  } catch (thrown) {
    void Promise.reject(thrown);
  }
}
