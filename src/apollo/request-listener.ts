import type {
  GraphQLRequestContext,
  GraphQLRequestContextDidResolveOperation,
  GraphQLRequestContextExecutionDidStart,
  GraphQLRequestContextParsingDidStart,
  GraphQLRequestContextResponseForOperation,
  GraphQLRequestContextWillSendResponse,
  GraphQLRequestExecutionListener,
  GraphQLRequestListener,
  GraphQLResponse,
} from '@apollo/server';
import { type DocumentNode, execute, GraphQLError, Kind } from 'graphql';
import type { Decision } from '../limiter/decision.js';
import type { DecisionRecord } from '../model/decision-record.js';
import type { Identify } from '../model/identify.js';
import type { LimitState } from '../model/limit.js';
import type { OperationType } from '../model/rule.js';
import { countableSubject, rootOf, type Subject } from '../model/subject.js';
import type { BatchPlace, Purchase } from '../protection/batch.js';
import {
  actualCosts,
  isTooLarge,
  keepToMinimum,
  LIMITS_PER_OPERATION,
  tooManyLimitsError,
} from '../protection/bind-charges.js';
import { type AnswerParts, isTierBucket, outcomesOf } from '../protection/cost-extension.js';
import { denialError, maxCostError, noRootTypeError } from '../protection/denial-error.js';
import { denierOf, isPaidByRefusals } from '../protection/fee.js';
import type { RunningResolvers } from '../protection/leases/running-resolvers.js';
import { watchPlaces } from '../protection/leases/watch-places.js';
import type { Protection } from '../protection/protection.js';
import {
  dryRunDocument,
  offersRateLimit,
  type RateLimitNumbers,
  setRateLimit,
} from '../protection/rate-limit-field.js';
import { readResponse } from '../protection/response-errors.js';
import { settleOperation } from '../protection/settle-operation.js';
import {
  AnsweredOperation,
  type DecidedOperation,
  type Spent,
  shadowDenials,
} from '../protection/usage-of-operation.js';
import { waitFor } from '../protection/wait-for.js';
import type { BoundLimit } from '../rules/matching/ruleset.js';
import { executeTyped } from './execute-typed.js';
import { replaceErrors, whenAnswered, writeAnswer } from './response.js';

/** An operation that has a price, and what became of it. */
interface Priced extends DecidedOperation {
  /** What was charged, and what became of it at the same index: of the batch where there is one. */
  limits: readonly BoundLimit[];
  states: readonly LimitState[];
  reportFields: boolean;
  /** What the fee came to, where the operation can never pass. */
  fee: AnswerParts | undefined;
  /** What runs of an operation that asks its `rateLimit` field for a dry run. */
  dryRun: DocumentNode | undefined;
  executed: boolean;
}

type Denied = Extract<Decision, { admitted: false }>;
type Resolved<Context extends object> = GraphQLRequestContextDidResolveOperation<Context>;
type Executing<Context extends object> = GraphQLRequestContextExecutionDidStart<Context>;
type Sending<Context extends object> = GraphQLRequestContextWillSendResponse<Context>;

const OPERATION_TYPES = { query: 'QUERY', mutation: 'MUTATION', subscription: 'SUBSCRIPTION' } as const;

/** The listener of one request; a class, as every request makes one and Apollo asks it for a handful of methods. */
export class ProtectedRequest<Context extends object> implements GraphQLRequestListener<Context> {
  readonly #protection: Protection<Context>;
  /** Why the document was not even parsed, or not validated. */
  #refusal: GraphQLError | undefined;
  readonly #place: BatchPlace | undefined;
  #pending: Promise<void> | undefined;
  #priced: Priced | undefined;
  /** Of an operation that holds a place among those that run at a time. */
  #running: RunningResolvers | undefined;

  constructor(protection: Protection<Context>, contextValue: Context, refusal: GraphQLError | undefined) {
    this.#protection = protection;
    this.#refusal = refusal;
    this.#place = protection.batchPlace(contextValue);
  }

  /** Asked only of documents that are not in Apollo's store: those there are have passed. */
  async parsingDidStart(context: GraphQLRequestContextParsingDidStart<Context>): Promise<() => Promise<void>> {
    return async () => {
      const { schema, document } = context;
      if (document) this.#refusal = this.#protection.documents.ofParsed(schema, document);
      // Nor has Apollo a hook that may refuse before it validates: this it refuses at once, and keeps no copy of it.
      if (this.#refusal) Object.assign(context, { document: NOTHING_VALID });
    };
  }

  didResolveOperation(context: Resolved<Context>): Promise<void> {
    // A wrong operationName resolves none: Apollo answers 400, and the fee is taken.
    if (!context.operation) return NOTHING_TO_DO;
    // graphql-js validates such an operation, and fails when it runs: it has no price, and is refused for the fee.
    const { operation } = context.operation;
    if (!context.schema.getRootType(operation)) return Promise.reject(noRootTypeError(operation));
    this.#pending = this.#decide(context, OPERATION_TYPES[context.operation.operation]);
    return this.#pending;
  }

  async responseForOperation({
    response,
    request,
    schema,
    contextValue,
  }: GraphQLRequestContextResponseForOperation<Context>): Promise<GraphQLResponse | null> {
    if (!this.#priced?.validateOnly) return null;
    const { dryRun: document } = this.#priced;
    const result = document && (await execute({ schema, document, contextValue, variableValues: request.variables }));
    return { http: response.http, body: { kind: 'single', singleResult: { data: result?.data ?? null } } };
  }

  executionDidStart(context: Executing<Context>): Promise<GraphQLRequestExecutionListener<Context> | undefined> {
    if (!this.#priced) return NOTHING_TO_DO;
    this.#priced.executed = true;
    const { typed } = this.#priced.formula;
    this.#running = watchPlaces(this.#priced.bound.limits, context);
    if (typed === undefined && this.#running === undefined) return NOTHING_TO_DO;
    return Promise.resolve({ ...this.#running?.listener, ...(typed && executeTyped(typed, context)) });
  }

  async willSendResponse(context: Sending<Context>): Promise<void> {
    // Another plugin's hook may have failed while the charge was under way: it is not to be lost.
    if (this.#pending) await this.#pending.catch(() => undefined);
    const parts = this.#priced ? this.#finish(this.#priced, context) : await this.#refuse(context);
    const { document, queryHash } = context;
    if (document && !this.#priced?.decision?.admitted) {
      this.#protection.admittedPlans.forgetRefused(document, queryHash);
    }
    if (parts) writeAnswer(context, parts, this.#protection.now());
    // The settlement is on its way before the answer is.
    const sent = this.#priced && this.#protection.limiter.settlementsSent();
    if (sent) await sent;
  }

  /** One function for the whole way, and no promise but where there is something to wait for: every request passes here. */
  async #decide(context: Resolved<Context>, operationType: OperationType): Promise<void> {
    const startedMs = performance.now();
    const { limiter } = this.#protection;
    const found = this.#identify(context);
    const subject = countableSubject(isPromise(found) ? await found : found);
    const priced = this.#price(context, subject, operationType, startedMs);
    const own: Purchase = {
      limits: priced.bound.limits,
      charges: priced.bound.charges,
      requestedCost: priced.requestedCost,
      pool: priced.bound.pool,
    };
    const joint = this.#place && (await this.#place.join(own));
    const { limits, charges, requestedCost, pool } = joint ?? own;
    this.#priced = priced;
    priced.limits = limits;
    if (offersRateLimit(context.schema)) setRateLimit(context.contextValue, () => rateLimitNumbers(priced));
    if (isTooLarge({ limits, charges })) await this.#refuseTooLarge(priced, { limits, charges, pool });
    if (this.#isTooDear(priced, requestedCost)) await this.#refuseTooDear(priced, { limits, requestedCost, pool });
    const decision = await (joint?.charge(limiter, subject) ??
      limiter.charge({ subject, limits: charges, pool: pool?.name }));
    priced.decision = decision;
    priced.states = decision.limits;
    if (!decision.admitted) throw await this.#denial(priced, decision, { charges, pool });
    this.#protection.admittedPlans.add(priced.formula);
    this.#record(priced, undefined, undefined);
    const turn = limiter.turn();
    if (turn) await turn;
    if (decision.delayMs === 0) return;
    const waited = await waitFor(decision.delayMs, this.#protection.abortSignal(context.contextValue));
    // Nothing has run: what was charged is given back when the answer nobody reads is sent.
    if (!waited) throw new GraphQLError('The client is gone');
  }

  /** Prices the operation and finds its limits. Throws what the client did wrong. */
  #price(context: Resolved<Context>, subject: Subject, operationType: OperationType, startedMs: number): Priced {
    const { analyzer, binder, mayReportCost, minimumCost } = this.#protection;
    const { document, operationName, queryHash, request } = context;
    const headers = request.http?.headers;
    const ruleset = this.#protection.ruleset();
    const tier = ruleset.tier(subject.tier);
    const formula = analyzer.compile(document, operationName, queryHash);
    const plan = formula.bind(request.variables);
    const wanted = headers?.get('graphql-cost');
    const dryRun =
      context.operation && offersRateLimit(context.schema)
        ? dryRunDocument(context.operation, document, request.variables)
        : undefined;
    const validateOnly = wanted === 'validate' || dryRun !== undefined;
    const requestedCost = plan.estimate().cost;
    const operation = { type: operationType, name: operationName ?? undefined };
    const client = headers?.get('apollographql-client-name');
    const facts = { subject, root: rootOf(subject), client };
    const all = binder.bind(formula, plan, requestedCost, ruleset, tier, operation, facts);
    return {
      startedMs,
      subject,
      operationType,
      operationName: operation.name,
      client: client ?? undefined,
      tier,
      formula,
      plan,
      requestedCost,
      bound: validateOnly ? keepToMinimum(all, minimumCost) : all,
      decision: undefined,
      record: undefined,
      limits: all.limits,
      states: [],
      reportFields: (wanted === 'report' || wanted === 'validate') && mayReportCost(subject),
      validateOnly,
      fee: undefined,
      dryRun: wanted === 'validate' ? undefined : dryRun,
      executed: false,
    };
  }

  /** Some limits would be charged and others not: none is, and whoever administers the rules is told. */
  async #refuseTooLarge(priced: Priced, asked: Pick<Purchase, 'limits' | 'charges' | 'pool'>): Promise<never> {
    const limits = asked.limits.filter(isPaidByRefusals);
    const denial = await this.#payFee(priced, { limits, pool: asked.pool });
    if (denial) throw denial;
    this.#record(priced, 'MAX_COST_EXCEEDED', LIMITS_PER_OPERATION);
    this.#protection.onTooManyLimits(asked.charges.length);
    throw tooManyLimitsError(asked);
  }

  /** Above what the tier lets one operation cost. */
  #isTooDear({ tier, validateOnly }: Priced, requestedCost: number): boolean {
    const { maxCostPerOperation: ceiling } = tier;
    return ceiling !== null && requestedCost > ceiling && this.#protection.mode === 'ENFORCE' && !validateOnly;
  }

  /** Only the fee is charged, but the answer still says what is left. */
  async #refuseTooDear(
    priced: Priced,
    { limits, requestedCost, pool }: Pick<Purchase, 'limits' | 'requestedCost' | 'pool'>,
  ): Promise<never> {
    const denial = await this.#payFee(priced, { limits, pool });
    if (denial) throw denial;
    const { tier } = priced;
    const deniedBy = `tier:${tier.name}`;
    this.#record(priced, 'MAX_COST_EXCEEDED', deniedBy);
    const maximumCost = tier.maxCostPerOperation ?? 0;
    throw maxCostError({
      requestedCost,
      maximumCost,
      deniedBy,
      mostExpensivePaths: () => priced.plan.mostExpensivePaths(),
    });
  }

  /**
   * What can never pass pays the fee, as what never gets a price does: it was parsed, validated and priced. Resolves to the
   * answer of those who cannot pay it.
   */
  async #payFee(
    priced: Priced,
    { limits, pool }: Pick<Purchase, 'limits' | 'pool'>,
  ): Promise<GraphQLError | undefined> {
    const { chargeFee, ruleset } = this.#protection;
    const { subject, client } = priced;
    const refused = { limits, pool: pool?.name };
    const { parts, denial } = await chargeFee({ ruleset: ruleset(), subject, client, refused });
    priced.fee = parts;
    priced.limits = limits;
    priced.states = parts.outcomes.map(({ state }) => state);
    if (denial) {
      const code = denial.extensions['code'] === 'UNAVAILABLE' ? 'UNAVAILABLE' : 'THROTTLED';
      this.#record(priced, code, String(denial.extensions['deniedBy']));
    }
    return denial;
  }

  async #denial(
    priced: Priced,
    decision: Denied,
    { charges, pool }: Pick<Purchase, 'charges' | 'pool'>,
  ): Promise<GraphQLError> {
    const { limits } = priced;
    const outcomes = outcomesOf(limits, decision.limits);
    if (decision.code === 'COST_EXCEEDS_CAPACITY') {
      const unpaid = await this.#payFee(priced, { limits, pool });
      if (unpaid) return unpaid;
    }
    const denial = decision.code === 'COST_EXCEEDS_CAPACITY' ? 'MAX_COST_EXCEEDED' : decision.code;
    this.#record(priced, denial, denierOf(decision.deniedBy, outcomes));
    return denialError({
      decision,
      outcomes,
      costOf: (id) => charges.find((charge) => charge.id === id)?.cost ?? 0,
      mostExpensivePaths: () => priced.plan.mostExpensivePaths(),
      denialStatus: this.#protection.denialStatus,
    });
  }

  #record(priced: Priced, denial: DecisionRecord['denial'], deniedBy: string | undefined): void {
    const { mode, minimumCost, operations } = this.#protection;
    const fullCost = denial ? 0 : priced.requestedCost;
    priced.record = {
      subject: priced.subject,
      tier: priced.tier.name,
      operationType: priced.operationType,
      operationName: priced.operationName,
      requestedCost: priced.requestedCost,
      chargedCost: priced.validateOnly ? Math.min(minimumCost, fullCost) : fullCost,
      denial,
      deniedBy,
      shadowDeniedBy: shadowDenials(priced.bound.limits, denial ? [] : priced.states),
      degraded: priced.decision?.degraded ?? false,
      durationMs: performance.now() - priced.startedMs,
      mode,
    };
    operations.onDecision(priced.record);
  }

  /** Corrects the charge to what was produced. */
  #finish(priced: Priced, context: Sending<Context>): AnswerParts {
    const { limiter, mode, operations, now, onError, abortSignal } = this.#protection;
    const { decision, bound, tier, requestedCost } = priced;
    let spent: Spent | undefined;
    if (decision?.admitted) {
      spent = this.#spent(priced, context);
      const { body } = context.response;
      const states = settleOperation({
        limiter,
        own: { ...bound, requestedCost },
        decision,
        actual: spent?.byLimit,
        running: this.#running,
        place: this.#place,
        // Execution waits for every resolver, unless an error answers early or the answer comes in parts.
        isOver: body?.kind === 'single' && !context.errors?.length,
        whenAnswered: (done) => {
          if (body?.kind === 'incremental') whenAnswered(body, abortSignal(context.contextValue), done);
          else done();
        },
        onError,
      });
      if (states) priced.states = states;
      if (priced.record) operations.onSettled(priced.record, spent?.cost ?? priced.record.chargedCost);
    }
    if (priced.record) operations.onAnswer?.(new AnsweredOperation(priced, spent, this.#place?.batchId, now()));
    return {
      requestedCost,
      actualCost: spent?.cost ?? null,
      tier,
      mode,
      degraded: priced.fee?.degraded ?? decision?.degraded ?? false,
      outcomes: outcomesOf(priced.limits, priced.states),
      fee: priced.fee?.fee,
      fields: priced.reportFields ? priced.plan.estimate().fields : undefined,
    };
  }

  /** What an admitted operation did cost; undefined where the estimate stands. */
  #spent(priced: Priced, { contextValue, response, errors, document }: Sending<Context>): Spent | undefined {
    const { bound, plan } = priced;
    if (this.#protection.abortSignal(contextValue)?.aborted && priced.executed) return undefined;
    // A response in parts cannot be walked: it stays at the estimate.
    if (response.body?.kind === 'incremental' || priced.validateOnly) return undefined;
    if (!priced.executed) {
      const nothing: Record<string, number> = {};
      for (const { id } of bound.charges) nothing[id] = 0;
      return { cost: 0, byLimit: nothing, fields: undefined, response: undefined };
    }
    const executed = readResponse(response.body?.singleResult.data, errors, document);
    // Usage is told of each field: the pass over the response that works out the cost does it with little more.
    const fieldSums = this.#protection.operations.onAnswer !== undefined;
    const actual = plan.actual(executed.data, bound.measures, { fieldSums, errors: executed.errors });
    return { cost: actual.cost, byLimit: actualCosts(bound, actual), fields: actual.fieldSums, response: executed };
  }

  /** The answer of an operation that was never priced: it pays the fee, or is denied where nothing is left to pay with. */
  async #refuse(context: Sending<Context>): Promise<AnswerParts | undefined> {
    this.#place?.leave();
    if (this.#refusal) replaceErrors(context, this.#refusal);
    // Without a caller there is nobody to charge: the answer says that his credential is bad.
    let subject: Subject;
    try {
      subject = countableSubject(await this.#identify(context));
    } catch {
      return undefined;
    }
    const client = context.request.http?.headers.get('apollographql-client-name');
    try {
      const { parts, denial } = await this.#protection.chargeFee({
        ruleset: this.#protection.ruleset(),
        subject,
        client,
      });
      if (denial) replaceErrors(context, denial);
      return parts;
    } catch (error) {
      this.#protection.onError(error);
      return undefined;
    }
  }

  #identify({ request, contextValue }: GraphQLRequestContext<Context>): ReturnType<Identify<Context>> {
    const headers = request.http?.headers;
    return this.#protection.identify({ header: (name) => headers?.get(name), contextValue });
  }
}

const NOTHING_VALID: DocumentNode = {
  kind: Kind.DOCUMENT,
  definitions: [{ kind: Kind.SCHEMA_DEFINITION, operationTypes: [] }],
};

const NOTHING_TO_DO = Promise.resolve(undefined);

/** Anybody's promises, not only those of the language. */
function isPromise<Value extends object>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof (value as Partial<Promise<Value>>).then === 'function';
}

function rateLimitNumbers({ requestedCost, limits, states, plan }: Priced): RateLimitNumbers {
  const state = outcomesOf(limits, states).find(isTierBucket)?.state;
  return {
    cost: requestedCost,
    limit: state?.limit ?? null,
    remaining: state?.remaining ?? null,
    used: state?.used ?? null,
    resetAt: state ? new Date(state.resetAtMs).toISOString() : null,
    nodeCount: plan.estimate().typeCost,
  };
}
