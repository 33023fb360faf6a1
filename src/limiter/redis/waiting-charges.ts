import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';
import type { Watch } from './deadlines.js';
import { type KeyOf, keysFor } from './keys-for.js';
import type { ScriptReply } from './read-reply.js';
import { RequestWriter } from './request-writer.js';
import type { Routes } from './routes.js';
import { SCRIPTS, type Script } from './scripts.js';
import type { UnsentCorrections } from './settlement-queue.js';

interface WaitingCharge {
  readonly request: CheckedRequest;
  readonly chargeId: string;
  readonly pendingMs: number;
  readonly keyOf: KeyOf;
  readonly resolve: (result: EngineResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Charges that wait for one place, and the number of calls in flight to it. */
interface Place {
  readonly name: string;
  waiting: WaitingCharge[];
  calls: number;
}

export interface ChargeQueueOptions {
  /** Sends a call. The call is in flight when this returns. */
  call(script: Script, writer: RequestWriter): Promise<ScriptReply>;
  /** Takes the corrections of earlier charges, which are sent together with new charges. */
  takeCorrections(place: string): UnsentCorrections | undefined;
  routes: Routes;
  isCluster: boolean;
  /** Maximum number of charges in one call. */
  maxBatch: number;
  /**
   * Maximum number of calls in flight to one place. Further charges wait for a reply and share the
   * next call. Redis handles everything that was sent on one connection before it continues with
   * the next connection. Other processes wait in the meantime.
   */
  maxCalls: number;
}

/**
 * Charges that wait for a call of one script. Charges of the same tick share a call: a command
 * takes as much time in Node as the decision takes in Redis.
 */
export class WaitingCharges {
  readonly #script: Script;
  readonly #options: ChargeQueueOptions;
  /** Schedules `sendAll` for the end of this tick. */
  readonly #flushSoon: () => void;
  readonly #places = new Map<string, Place>();
  /** Place of the previous charge, as long as it is in `#places`. */
  #latest: Place | undefined;

  constructor(script: Script, options: ChargeQueueOptions, flushSoon: () => void) {
    this.#script = script;
    this.#options = options;
    this.#flushSoon = flushSoon;
  }

  add(
    request: CheckedRequest,
    chargeId: string,
    pendingMs: number,
    watch: Watch | undefined,
    resolve: WaitingCharge['resolve'],
    reject: WaitingCharge['reject'],
  ): void {
    const { routes, isCluster, maxBatch, maxCalls } = this.#options;
    const keyOf = keysFor(request.subject);
    const key = isCluster ? keyOf(request.limits[0]!) : '';
    if (watch !== undefined) watch.line = routes.lineTo(key);
    const place = this.#placeOf(routes.placeOf(key));
    place.waiting.push({ request, chargeId, pendingMs, keyOf, resolve, reject });
    // Redis starts on a full call while this tick builds the next one. Redis would reply to two
    // calls at the same time if they were sent together, and Redis and this process would wait for
    // each other in turn.
    if (place.waiting.length >= maxBatch) this.#send(place);
    if (place.waiting.length > 0 && place.calls < maxCalls) this.#flushSoon();
  }

  sendAll(): void {
    for (const place of this.#places.values()) this.#send(place);
  }

  #placeOf(name: string): Place {
    if (this.#latest?.name === name) return this.#latest;
    let place = this.#places.get(name);
    if (place === undefined) {
      place = { name, waiting: [], calls: 0 };
      this.#places.set(name, place);
    }
    this.#latest = place;
    return place;
  }

  #send(place: Place): void {
    const { maxBatch, maxCalls } = this.#options;
    while (place.waiting.length > 0 && place.calls < maxCalls) {
      const rest = place.waiting.length > maxBatch ? place.waiting.splice(maxBatch) : [];
      const batch = place.waiting;
      place.waiting = rest;
      this.#sendInBatches(batch, place);
    }
  }

  #sendInBatches(batch: readonly WaitingCharge[], place: Place): void {
    let corrections = this.#options.takeCorrections(place.name);
    if (this.#script === SCRIPTS.peek) {
      // A script that only reads cannot correct. Redis executes the corrections before it.
      corrections?.send();
      corrections = undefined;
    }
    let writer = corrections?.writer ?? new RequestWriter();
    let start = 0;
    for (let i = 0; i < batch.length; i++) {
      const { request, chargeId, pendingMs, keyOf } = batch[i]!;
      if (writer.addCharge(request, chargeId, pendingMs, keyOf)) continue;
      this.#sendOne(batch.slice(start, i), writer, place, corrections);
      corrections = undefined;
      writer = new RequestWriter();
      start = i;
      writer.addCharge(request, chargeId, pendingMs, keyOf);
    }
    this.#sendOne(start === 0 ? batch : batch.slice(start), writer, place, corrections);
  }

  #sendOne(
    batch: readonly WaitingCharge[],
    writer: RequestWriter,
    place: Place,
    corrections: UnsentCorrections | undefined,
  ): void {
    place.calls++;
    const replied = this.#options.call(this.#script, writer);
    corrections?.follow(replied);
    void this.#answer(batch, replied, place);
  }

  async #answer(batch: readonly WaitingCharge[], replied: Promise<ScriptReply>, place: Place): Promise<void> {
    let answered = 0;
    try {
      const reply = await replied;
      const { clock, now } = reply;
      for (const charge of batch) {
        const { numberCount } = charge.request;
        const [verdict] = reply.read(1);
        const numbers = reply.read(numberCount);
        const wouldBe = this.#script === SCRIPTS.peek ? reply.read(numberCount) : undefined;
        answered++;
        resolveCharge(charge, { admitted: verdict === 1, clock, now, numbers, times: undefined, wouldBe });
      }
    } catch (error) {
      // A reply that is too short still decides the first charges, so only the others are rejected.
      for (; answered < batch.length; answered++) rejectCharge(batch[answered]!, error);
    } finally {
      this.#answered(place);
    }
  }

  #answered(place: Place): void {
    place.calls--;
    if (place.waiting.length > 0) this.#flushSoon();
    // Nodes of a Cluster may be added and removed, so unused places are dropped.
    else if (place.calls === 0 && this.#options.isCluster) {
      this.#places.delete(place.name);
      this.#latest = undefined;
    }
  }
}

/**
 * Resolves a charge. An exception in its callback does not affect the other charges of the same
 * reply.
 */
function resolveCharge(charge: WaitingCharge, result: EngineResult): void {
  try {
    charge.resolve(result);
  } catch (error) {
    rejectCharge(charge, error);
  }
}

/**
 * Rejects a charge. An exception in its callback becomes an unhandled rejection, so that the other
 * charges of the reply are still notified.
 */
function rejectCharge({ reject }: WaitingCharge, error: unknown): void {
  try {
    reject(error);
  } catch (thrown) {
    void Promise.reject(thrown);
  }
}
