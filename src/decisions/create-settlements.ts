import type { GraphQLError } from 'graphql';
import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import { answerOf } from '../protection/answer/answer-of.js';
import type { AnswerParts } from '../protection/answer/cost-extension.js';
import { LOST } from '../protection/operation.js';
import type { ProtectedOperation } from '../protection/protected-operation.js';
import type { KeptOperation, KeptOperations } from './create-kept-operations.js';
import type { ReceiptSeal } from './create-receipt-seal.js';
import type { SettleRequest } from './decide-request.js';
import { actualOf, claimSettlement, type DecisionReceipt } from './decision-receipt.js';
import type { ElsewhereContext } from './elsewhere-context.js';

/** Reason why a settlement had no effect. */
type UnsettledReason = 'INVALID_RECEIPT' | 'EXPIRED' | 'ALREADY_SETTLED' | 'DECIDED_ELSEWHERE' | 'UNAVAILABLE';

/** A settlement, as `/v1/settle` returns it. */
export interface Settlement {
  settled: boolean;
  /** Present if the settlement had no effect. */
  reason?: UnsettledReason;
  /**
   * Whether an earlier request has settled the receipt. If this instance answered that request, the
   * other members are those of its response.
   */
  repeated: boolean;
  requestedCost: number | null;
  /** Actual cost in tokens; null if the estimate remains charged. */
  actualCost: number | null;
  headers: Record<string, string>;
  extensions: Record<string, unknown>;
}

/**
 * Receives the outcome of a settlement.
 * @param integration integration that asked for the decision; undefined for an invalid receipt
 */
export type OnSettlement = (integration: string | undefined, settlement: Settlement) => void;

type Kept = KeptOperation<AdmittedOperation, Settlement>;

export type AdmittedOperation = ProtectedOperation<ElsewhereContext>;

interface SettlementsOptions {
  limiter: ProtectionLimiter;
  seal: ReceiptSeal;
  kept: KeptOperations<AdmittedOperation, Settlement>;
  withScore(headers: Record<string, string>, cost: number | null): Record<string, string>;
  /** Must not throw. */
  onSettlement: OnSettlement;
  now(): number;
  /** Receives errors without a known cause. */
  onError(error: unknown): void;
}

/** Creates the function that settles receipts. Its promise never rejects. */
export function createSettlements({
  limiter,
  seal,
  kept,
  withScore,
  onSettlement,
  now,
  onError,
}: SettlementsOptions): (request: SettleRequest) => Promise<Settlement> {
  const failed = (content: DecisionReceipt) => (error: unknown) => {
    onError(error);
    return unsettled('UNAVAILABLE', content.q);
  };

  async function settleContent(content: DecisionReceipt, request: SettleRequest): Promise<Settlement> {
    if (content.e <= now()) return unsettled('EXPIRED', content.q);
    const one = kept.find(content.i);
    if (!one) return settleExported(content, request).catch(failed(content));
    if (one.settled) return repeatedOf(await one.settled);
    const settling = settleKept(one, content, request).catch(failed(content));
    one.settled = settling;
    const settlement = await settling;
    if (settlement.reason === 'UNAVAILABLE') {
      // Nothing was claimed, so a later request may settle the operation if it is still in memory.
      if (kept.find(content.i) === one) one.settled = undefined;
      else one.operation.finish(LOST);
    }
    return settlement;
  }

  /** Settles an operation that this process has decided. */
  async function settleKept(
    { operation }: Kept,
    content: DecisionReceipt,
    request: SettleRequest,
  ): Promise<Settlement> {
    const claim = content.x ? await claimSettlement(limiter, content, now()) : 'CLAIMED';
    if (claim === 'ALREADY_SETTLED') operation.finish(LOST);
    if (claim !== 'CLAIMED') return unsettled(claim, content.q);
    const { actualCost, data, errors, addedCost, hasNotRun } = request;
    if (hasNotRun) operation.hasNotRun();
    const keepsEstimate = actualCost === undefined && data === undefined && !errors?.length && !hasNotRun;
    // Without a result, the estimate stays charged. The settlement still frees slots.
    const knownCost = keepsEstimate ? content.q : actualCost;
    const parts = operation.finish({
      ...LOST,
      isLost: false,
      data,
      errors: errors as unknown as readonly GraphQLError[] | undefined,
      knownCost,
      addedCost,
    });
    await operation.settlementSent();
    return settlementOf(content, parts);
  }

  function settlementOf(content: DecisionReceipt, parts: AnswerParts): Settlement {
    const { headers, body } = answerOf({}, parts);
    return {
      settled: true,
      repeated: false,
      requestedCost: content.q,
      actualCost: parts.actualCost,
      headers: withScore(headers, parts.actualCost),
      extensions: body.extensions ?? {},
    };
  }

  /** Settles an operation that another process has decided, or that this one no longer remembers. */
  async function settleExported(content: DecisionReceipt, request: SettleRequest): Promise<Settlement> {
    const { x, q } = content;
    const { actualCost, data, errors, addedCost, hasNotRun } = request;
    // Only the process that priced the operation can compute the cost of its data.
    const needsPlan = data !== undefined || Boolean(errors?.length);
    if (x === undefined || needsPlan) return unsettled('DECIDED_ELSEWHERE', q);
    const claim = await claimSettlement(limiter, content, now());
    if (claim !== 'CLAIMED') return unsettled(claim, q);
    const cost = hasNotRun ? 0 : (actualCost ?? q) + addedCost;
    const actual = hasNotRun
      ? Object.fromEntries(x.c.flatMap(({ l }) => l.map(({ id }) => [id, 0])))
      : actualOf(content, cost);
    await Promise.all(limiter.importCharge(x).map((receipt) => limiter.settle(receipt, actual)));
    const settled = { settled: true, repeated: false, requestedCost: q, actualCost: cost };
    return { ...settled, headers: withScore({}, cost), extensions: {} };
  }

  return async (request) => {
    const content = seal.open(request.receipt) as DecisionReceipt | undefined;
    const settlement = content ? await settleContent(content, request) : unsettled('INVALID_RECEIPT', null);
    onSettlement(content?.n, settlement);
    return settlement;
  };
}

/** Returns the response to a later or concurrent request with the same receipt. */
function repeatedOf(settlement: Settlement): Settlement {
  return { ...settlement, repeated: settlement.reason !== 'UNAVAILABLE' };
}

export function unsettled(reason: UnsettledReason, requestedCost: number | null): Settlement {
  const nothing = { headers: {}, extensions: {} };
  return {
    settled: false,
    reason,
    repeated: reason === 'ALREADY_SETTLED',
    requestedCost,
    actualCost: null,
    ...nothing,
  };
}
