import type {
  ApolloServerPlugin,
  GraphQLRequestContext,
  GraphQLRequestContextDidResolveOperation,
} from '@apollo/server';
import { GraphQLError } from 'graphql';
import type { BoundPlan, FieldCost } from './cost/cost-plan.js';
import type { CostAnalyzer } from './cost/create-cost-analyzer.js';
import type { Identify } from './identity/types.js';
import type { Decision, Limiter } from './limiter/types.js';
import { type AnswerParts, costExtension, type LimitOutcome, outcomesOf, settledOutcomes } from './plugin/answer.js';
import {
  type BoundCharges,
  bucketCharge,
  createChargeBinder,
  keepToMinimum,
  type OperationIdentity,
} from './plugin/bind-charges.js';
import { type DearPath, denialError, maxCostError } from './plugin/denial.js';
import { quotaHeaders } from './plugin/headers.js';
import { waitFor } from './plugin/wait-for.js';
import type { Ruleset } from './rules/match.js';
import type { OperationType, Subject, Tier } from './rules/types.js';

/** One operation and what became of it. */
export interface DecisionRecord {
  subject: Subject;
  tier: string;
  operationType: OperationType;
  operationName: string | undefined;
  requestedCost: number;
  /** THROTTLED, MAX_COST_EXCEEDED or UNAVAILABLE; undefined when admitted. */
  denial: 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE' | undefined;
  deniedBy: string | undefined;
  degraded: boolean;
  mode: 'ENFORCE' | 'SHADOW';
}

export interface PluginOptions<Context> {
  analyzer: CostAnalyzer;
  limiter: Limiter;
  /** The rules in force, asked for on each request. */
  ruleset(): Ruleset;
  identify: Identify<Context>;
  /** `SHADOW` evaluates every limit and denies nobody. @default 'ENFORCE' */
  mode?: 'ENFORCE' | 'SHADOW';
  /** The status of a THROTTLED answer: 200 for clients that cannot bear 429. @default 429 */
  denialStatus?: 429 | 200;
  /** Who may ask for the cost of each field with `GraphQL-Cost: report`. @default nobody */
  mayReportCost?: (subject: Subject) => boolean;
  /** Aborted when the client is gone; then the estimate stands, and a wait to be let through ends. */
  abortSignal?: (contextValue: Context) => AbortSignal | undefined;
  /** Told of every decision; must not throw. */
  onDecision?: (record: DecisionRecord) => void;
  /** What an operation costs that is only priced (`GraphQL-Cost: validate`). @default 1 */
  minimumCost?: number;
  /** Told of a settlement that failed; the estimate stands then. */
  onError?: (error: unknown) => void;
  /** For headers that count seconds from now. @default Date.now */
  now?: () => number;
}

/** What one request has come to. */
interface RequestState {
  subject: Subject;
  operation: OperationIdentity;
  tier: Tier;
  priced: BoundPlan;
  requestedCost: number;
  bound: BoundCharges;
  decision: Decision | undefined;
  outcomes: LimitOutcome[];
  reportFields: boolean;
  validateOnly: boolean;
  executed: boolean;
}

type Resolved<Context extends object> = GraphQLRequestContextDidResolveOperation<Context>;

const OPERATION_TYPES = { query: 'QUERY', mutation: 'MUTATION', subscription: 'SUBSCRIPTION' } as const;

/**
 * The Apollo Server plugin: prices an operation before it runs, charges it to every limit that applies or to none, and
 * puts cost and quota on the answer. Denied operations run no resolver.
 */
export function createPlugin<Context extends object>(options: PluginOptions<Context>): ApolloServerPlugin<Context> {
  const { analyzer, limiter, identify, mode = 'ENFORCE', denialStatus = 429 } = options;
  const { minimumCost = 1, onError = () => {}, now = Date.now } = options;
  const binder = createChargeBinder({ mode });

  async function identified(context: GraphQLRequestContext<Context>): Promise<Subject> {
    const headers = context.request.http?.headers;
    return await identify({ header: (name) => headers?.get(name), contextValue: context.contextValue });
  }

  /** Prices the operation and finds its limits. Throws what the client did wrong. */
  async function price(context: Resolved<Context>, operation: OperationIdentity): Promise<RequestState> {
    const subject = await identified(context);
    const ruleset = options.ruleset();
    const tier = ruleset.tier(subject.tier);
    const plan = analyzer.compile(context.document, context.operationName, context.queryHash);
    const priced = plan.bind(context.request.variables ?? {});
    const wanted = context.request.http?.headers.get('graphql-cost');
    const validateOnly = wanted === 'validate';
    const estimate = priced.estimate();
    const all = binder.bind(plan, priced, estimate.cost, ruleset, tier, operation, {
      subject,
      root: subject.tenant ?? subject.user ?? subject.apiKey ?? subject.ip ?? '',
      client: context.request.http?.headers.get('apollographql-client-name'),
    });
    const bound = validateOnly ? keepToMinimum(all, minimumCost) : all;
    return {
      subject,
      operation,
      tier,
      priced,
      requestedCost: estimate.cost,
      bound,
      decision: undefined,
      outcomes: [],
      reportFields: (wanted === 'report' || validateOnly) && (options.mayReportCost?.(subject) ?? false),
      validateOnly,
      executed: false,
    };
  }

  /** Charges the operation, or throws its denial. */
  async function charge(state: RequestState, contextValue: Context): Promise<void> {
    const { subject, tier, bound, requestedCost } = state;
    const dearestPaths = (): DearPath[] => dearest(state.priced.estimate().fields);
    const ceiling = tier.maxCostPerOperation;
    if (ceiling !== null && requestedCost > ceiling && mode === 'ENFORCE' && !state.validateOnly) {
      // Nothing is charged, but the answer still says what is left.
      state.outcomes = outcomesOf(bound.limits, await limiter.peek({ subject, limits: bound.charges }));
      record(state, 'MAX_COST_EXCEEDED', `tier:${tier.name}`);
      throw maxCostError({ requestedCost, maximumCost: ceiling, deniedBy: `tier:${tier.name}`, dearestPaths });
    }
    const decision = await limiter.charge({ subject, limits: bound.charges });
    state.decision = decision;
    state.outcomes = outcomesOf(bound.limits, decision.limits);
    if (!decision.admitted) {
      const denial = decision.code === 'COST_EXCEEDS_CAPACITY' ? 'MAX_COST_EXCEEDED' : decision.code;
      const denier = state.outcomes.find((outcome) => outcome.state.id === decision.deniedBy);
      record(state, denial, denier?.limit.ruleName ?? decision.deniedBy);
      const costOf = (id: string) => chargedCost(bound, id);
      throw denialError({ decision, outcomes: state.outcomes, costOf, dearestPaths, denialStatus });
    }
    record(state, undefined, undefined);
    if (decision.delayMs === 0) return;
    const waited = await waitFor(decision.delayMs, options.abortSignal?.(contextValue));
    // Nothing has run: what was charged is given back when the answer nobody reads is sent.
    if (!waited) throw new GraphQLError('The client is gone');
  }

  function record(state: RequestState, denial: DecisionRecord['denial'], deniedBy: string | undefined): void {
    options.onDecision?.({
      subject: state.subject,
      tier: state.tier.name,
      operationType: state.operation.type,
      operationName: state.operation.name,
      requestedCost: state.requestedCost,
      denial,
      deniedBy,
      degraded: state.decision?.degraded ?? false,
      mode,
    });
  }

  /** Corrects the charge to what was produced, and returns that cost; undefined when the estimate stands. */
  function settle(state: RequestState, context: GraphQLRequestContext<Context>): number | undefined {
    const { decision, bound } = state;
    if (!decision?.admitted) return undefined;
    if (options.abortSignal?.(context.contextValue)?.aborted && state.executed) return undefined;
    const body = context.response.body;
    // A response in parts cannot be walked: it stays at the estimate.
    if (body?.kind === 'incremental' || state.validateOnly) return undefined;
    let cost = 0;
    let actual: Record<string, number> = {};
    if (state.executed) {
      const result = state.priced.actual(body?.singleResult.data, bound.measures);
      cost = result.cost;
      actual = bound.actualCosts(result);
    } else for (const { id } of bound.charges) actual[id] = 0;
    // Written to the socket before the answer, and not waited for: lost, the estimate stands.
    limiter.settle(decision.receipt, actual).catch(onError);
    state.outcomes = settledOutcomes(state.outcomes, (id) => chargedCost(bound, id), actual);
    return cost;
  }

  /** The answer of an operation that was never priced: what is left, and a cost of nothing. */
  async function unpriced(context: GraphQLRequestContext<Context>): Promise<AnswerParts | undefined> {
    const subject = await identified(context);
    const ruleset = options.ruleset();
    const tier = ruleset.tier(subject.tier);
    const { limits, charges } = bucketCharge(ruleset, tier, subject);
    const outcomes = outcomesOf(limits, await limiter.peek({ subject, limits: charges }));
    return { requestedCost: 0, actualCost: 0, tier, mode, degraded: false, outcomes };
  }

  return {
    async requestDidStart() {
      let pending: Promise<RequestState> | undefined;
      let state: RequestState | undefined;

      return {
        async didResolveOperation(context) {
          // A wrong operationName resolves none: Apollo answers 400, and nothing is priced.
          if (!context.operation) return;
          const operation = {
            type: OPERATION_TYPES[context.operation.operation],
            name: context.operationName ?? undefined,
          };
          pending = price(context, operation).then(async (priced) => {
            state = priced;
            await charge(priced, context.contextValue);
            return priced;
          });
          await pending;
        },

        async responseForOperation(context) {
          if (!state?.validateOnly) return null;
          return { http: context.response.http, body: { kind: 'single', singleResult: { data: null } } };
        },

        async executionDidStart() {
          if (state) state.executed = true;
        },

        async willSendResponse(context) {
          // Another plugin's hook may have failed while the charge was under way: it is not to be lost.
          if (pending) await pending.catch(() => undefined);
          let parts: AnswerParts | undefined;
          if (state) {
            const actualCost = settle(state, context) ?? null;
            parts = {
              requestedCost: state.requestedCost,
              actualCost,
              tier: state.tier,
              mode,
              degraded: state.decision?.degraded ?? false,
              outcomes: state.outcomes,
              fields: state.reportFields ? state.priced.estimate().fields : undefined,
            };
          } else parts = await unpriced(context).catch(() => undefined);
          if (parts) answer(context, parts, now());
        },
      };
    },
  };
}

/** Puts cost and quota on the answer, beside the extensions that are there already. */
function answer(context: GraphQLRequestContext<object>, parts: AnswerParts, nowMs: number): void {
  const { body, http } = context.response;
  const result = body?.kind === 'incremental' ? body.initialResult : body?.singleResult;
  if (result) result.extensions = { ...result.extensions, cost: costExtension(parts) };
  for (const [name, value] of quotaHeaders(parts, nowMs)) http.headers.set(name, value);
}

function chargedCost(bound: BoundCharges, id: string): number {
  return bound.charges.find((charge) => charge.id === id)?.cost ?? 0;
}

function dearest(fields: readonly FieldCost[]): DearPath[] {
  const dearestFirst = [...fields].sort((a, b) => b.cost - a.cost);
  return dearestFirst.slice(0, 3).map(({ coordinate, cost }) => ({ path: coordinate, cost }));
}
