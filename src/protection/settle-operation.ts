import type { Admission } from '../limiter/charge/decision.js';
import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import type { LimitState } from '../model/limit.js';
import { withoutSlots } from './answer/is-slot-limit.js';
import type { BatchPlace, Purchase } from './batch.js';
import type { RunningResolvers } from './slots/running-resolvers.js';

interface OperationSettlement {
  limiter: ProtectionLimiter;
  /** That it was charged by. */
  limits: Purchase['limits'];
  decision: Admission;
  /** What it did cost, by limit; undefined: the estimate stands. */
  actual: Readonly<Record<string, number>> | undefined;
  /** Undefined for an operation that holds no concurrency slot, and where nothing has run. */
  running: RunningResolvers | undefined;
  /** Where it belongs to a batch: its place there, and what it was charged by itself. */
  batch: { place: BatchPlace; own: Purchase } | undefined;
  /** Nothing of it runs unless a resolver still does: what came is whole. Else it may run on. */
  isOver: boolean;
  /** Calls back when all of the answer is out, or nobody asks for more; perhaps twice. */
  whenAnswered(done: () => void): void;
  onError(error: unknown): void;
}

/**
 * Corrects the charge of an operation, and returns its concurrency slot once nothing of it does.
 * @returns the limits as they are then; undefined: as they were after the charge
 */
export function settleOperation(settlement: OperationSettlement): LimitState[] | undefined {
  const { limiter, limits, decision, actual, running, batch, onError } = settlement;
  // Written to the socket before the answer, and not waited for: lost, the estimate stands.
  if (batch) {
    const { place, own } = batch;
    place.settle(own, actual ?? {}, (one, all) => {
      if (one.admitted) limiter.settle(one.receipt, all).catch(onError);
    });
    const end = () => {
      place.end((one) => {
        if (one.admitted) limiter.release(one.receipt).catch(onError);
      });
    };
    if (running === undefined || isAtRest(settlement, running)) end();
    else whenAtRest(settlement, running, end);
    // A batch is settled with its last operation; its answers say what was left after the charge.
    return undefined;
  }
  let states: LimitState[] | undefined;
  const holds = running !== undefined && !isAtRest(settlement, running);
  if (actual) {
    const known = holds ? withoutSlots(actual, limits) : actual;
    limiter.settleUnawaited(decision.receipt, known, onError);
    states = limiter.settledStates(decision, known);
  }
  if (holds || (running && actual === undefined)) {
    const release = () => void limiter.release(decision.receipt).catch(onError);
    if (holds) whenAtRest(settlement, running, release);
    else release();
  }
  return states;
}

function isAtRest({ isOver }: OperationSettlement, { isIdle }: RunningResolvers): boolean {
  return isOver && isIdle;
}

function whenAtRest({ whenAnswered }: OperationSettlement, running: RunningResolvers, done: () => void): void {
  whenAnswered(() => running.whenEnded(done));
}
