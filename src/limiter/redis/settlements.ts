import { type ChargeRecord, type CheckedRequest, changes, selectCharged } from '../charge/checked-request.js';
import { maySettleLater } from '../charge/may-settle-later.js';
import { type Part, splitIntoParts } from './charge-across-slots.js';
import { keysFor } from './keys-for.js';
import { ACTION } from './layout.js';
import { createLostConfirmations, type LostConfirmations } from './lost-confirmations.js';
import type { RequestWriter } from './request-writer.js';
import { isHashSlotError, type Routes } from './routes.js';
import type { SettlementQueue } from './settlement-queue.js';

interface SettlementsOptions {
  queue: SettlementQueue;
  routes: Routes;
  isCluster: boolean;
  /**
   * On a Cluster: time for which a charge may stay pending before other instances refund it, in
   * milliseconds.
   */
  pendingMs: number;
  /** On a Cluster: called when the refund of a pending charge starts, and when it ends. */
  onCancel: (request: CheckedRequest) => void;
}

/** Adds a part of a charge to a call. Returns false if the call has no room for it. */
type AddPart = (writer: RequestWriter, part: ChargeRecord) => boolean;

/**
 * Handles charges after they were made: corrections and, on a Cluster, confirmations and
 * cancellations.
 */
export class Settlements {
  readonly #options: SettlementsOptions;
  readonly #lostConfirmations: LostConfirmations;

  constructor(options: SettlementsOptions) {
    this.#options = options;
    this.#lostConfirmations = createLostConfirmations((charge) => this.#confirm(charge, ACTION.CONFIRM_AGAIN));
  }

  settle(charge: ChargeRecord, actual: Readonly<Record<string, number>>): Promise<void> {
    for (const lost of this.#lostConfirmations.take(charge.chargeId)) void this.#confirm(lost, ACTION.CONFIRM_AGAIN);
    // Nothing is sent if the actual costs are the charged ones.
    if (!charge.request.limits.some((_, i) => changes(charge.request, i, actual))) return Promise.resolve();
    const add: AddPart = (writer, part) => writer.addCorrection(part, actual, keysFor(part.request.subject));
    return this.#add(charge, add, maySettleLater(charge, actual));
  }

  reset(request: CheckedRequest): Promise<void> {
    const ofNoCharge = { request, chargeId: '', time: { clock: 0, now: 0 }, times: undefined };
    return this.#add(ofNoCharge, (writer, part) => writer.addReset(part.request, keysFor(request.subject)));
  }

  /**
   * Charges an operation that was admitted without Redis. It confirms a charge that is not pending:
   * Redis then makes the charge, even without room.
   */
  count(charge: ChargeRecord): void {
    void this.#end(charge, ACTION.CONFIRM);
  }

  /**
   * Makes the slots of a charge end `leaseMs` from now. Like `count`, it confirms a charge that is
   * not pending: Redis replaces the entry of the charge, or adds it again if it has expired. The
   * time 0 stands for the time of Redis when it executes the call.
   */
  renew(slots: ChargeRecord): Promise<void> {
    const renewed = { ...slots, time: { clock: 0, now: 0 }, times: undefined };
    const keyOf = keysFor(slots.request.subject);
    return this.#add(renewed, (writer, part) => writer.addEnd(part, ACTION.CONFIRM, keyOf));
  }

  confirm(charge: ChargeRecord): void {
    void this.#confirm(charge, ACTION.CONFIRM);
  }

  cancel(charge: ChargeRecord): void {
    const notify = () => this.#options.onCancel(charge.request);
    notify();
    // If the cancellation is lost, other instances refund the charge at its deadline.
    void this.#end(charge, ACTION.CANCEL).then(notify);
  }

  partsOf(request: CheckedRequest, placeOf: (key: string) => string): Part[] {
    const keyOf = keysFor(request.subject);
    return splitIntoParts(request, (limit) => placeOf(keyOf(limit)));
  }

  async close(): Promise<void> {
    // Settlements that are not sent yet come before the repeated confirmations.
    await this.#options.queue.done().catch(() => {});
    await this.#lostConfirmations.close();
  }

  #confirm(charge: ChargeRecord, action: number): Promise<void> {
    return this.#end(charge, action, () => this.#lostConfirmations.keep(charge));
  }

  async #end(charge: ChargeRecord, action: number, lost: () => void = () => {}): Promise<void> {
    if (!charge.request.costs.some((cost) => cost > 0)) return;
    const pendingMs = action === ACTION.CONFIRM_AGAIN ? this.#options.pendingMs : 0;
    const add: AddPart = (writer, part) => writer.addEnd(part, action, keysFor(part.request.subject), pendingMs);
    await this.#add(charge, add).catch(lost);
  }

  /**
   * Adds an action on a charge to the calls for its places. It creates no additional promise,
   * because most charges take this path.
   */
  #add(charge: ChargeRecord, add: AddPart, mayWait = false): Promise<void> {
    if (charge.request.limits.length === 0) return Promise.resolve();
    const { queue, routes, isCluster } = this.#options;
    if (isCluster) return this.#addInCluster(charge, add, mayWait, routes.placeOf);
    return queue.add('', (writer) => add(writer, charge), mayWait);
  }

  /**
   * Adds an action on a charge to the calls for its places on a Cluster. If Redis rejects a call
   * because of its hash slots, the part is added again slot by slot.
   */
  async #addInCluster(
    charge: ChargeRecord,
    add: AddPart,
    mayWait: boolean,
    placeOf: (key: string) => string,
  ): Promise<void> {
    const { queue, routes } = this.#options;
    const keyOf = keysFor(charge.request.subject);
    const all = this.partsOf(charge.request, placeOf).map(async ({ request, places }) => {
      const part = request === charge.request ? charge : selectCharged(charge, (place) => places.includes(place));
      const place = placeOf(keyOf(request.limits[0]!));
      try {
        await queue.add(place, (writer) => add(writer, part), mayWait);
      } catch (error) {
        if (!isHashSlotError(error) || placeOf !== routes.placeOf) throw error;
        routes.sendSlotBySlot();
        await this.#addInCluster(part, add, mayWait, routes.slotPlaceOf);
      }
    });
    if (all.length === 1) await all[0];
    else await Promise.all(all);
  }
}
