import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';
import { chargeAcrossSlots, type PartOperations, peekEveryPart } from './charge-across-slots.js';
import type { ChargeQueue } from './charge-queue.js';
import type { Watch } from './deadlines.js';
import { isHashSlotError, type Routes } from './routes.js';
import type { Settlements } from './settlements.js';

/**
 * Charges on a Cluster: in one call if one node serves all hash slots of the charge, otherwise in
 * parts.
 */
export class ClusterCharges {
  readonly #queue: ChargeQueue;
  readonly #routes: Routes;
  readonly #settlements: Settlements;
  readonly #operations: PartOperations;

  constructor(queue: ChargeQueue, routes: Routes, settlements: Settlements, pendingMs: number) {
    this.#queue = queue;
    this.#routes = routes;
    this.#settlements = settlements;
    this.#operations = {
      charge: (request, chargeId, forMs, watch) => queue.charge(request, chargeId, forMs, watch),
      confirm: (charge) => settlements.confirm(charge),
      cancel: (charge) => settlements.cancel(charge),
      pendingMs,
      splitAfter: (error, { request }) => this.#splitAfter(error, request),
      peek: (request, chargeId, watch) => this.#peek(request, chargeId, watch),
    };
  }

  async charge(
    request: CheckedRequest,
    chargeId: string,
    readOnly: boolean,
    watch: Watch | undefined,
    isDoubtful: boolean | undefined,
  ): Promise<EngineResult> {
    const parts = this.#settlements.partsOf(request, this.#routes.placeOf);
    if (readOnly) {
      return parts.length > 1
        ? peekEveryPart(request, parts, chargeId, this.#operations)
        : this.#peek(request, chargeId, watch);
    }
    if (parts.length > 1) return chargeAcrossSlots(request, parts, chargeId, this.#operations, watch, isDoubtful);
    try {
      return await this.#queue.charge(request, chargeId, 0, watch);
    } catch (error) {
      const smaller = this.#splitAfter(error, request);
      if (smaller === undefined) throw error;
      return chargeAcrossSlots(request, smaller, chargeId, this.#operations, watch, isDoubtful);
    }
  }

  async #peek(request: CheckedRequest, chargeId: string, watch: Watch | undefined): Promise<EngineResult> {
    try {
      return await this.#queue.peek(request, chargeId, watch);
    } catch (error) {
      const smaller = this.#splitAfter(error, request);
      if (smaller === undefined) throw error;
      return peekEveryPart(request, smaller, chargeId, this.#operations);
    }
  }

  #splitAfter(error: unknown, request: CheckedRequest) {
    if (!isHashSlotError(error)) return undefined;
    this.#routes.sendSlotBySlot();
    return this.#settlements.partsOf(request, this.#routes.slotPlaceOf);
  }
}
