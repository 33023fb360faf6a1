import { type DocumentNode, GraphQLError, type GraphQLSchema, getOperationAST, parse, validate } from 'graphql';
import type { CostAnalyzer } from '../cost/create-cost-analyzer.js';
import { createDocumentCheck, type DocumentCheck } from '../documents/document-check.js';
import type { DocumentLimits } from '../documents/measure-document.js';
import type { ClientName, RegisteredDocument, RegisteredDocuments } from '../documents/registered-documents.js';
import { sha256Of } from '../documents/sha-256-of.js';
import { DEFAULT_POOL } from '../limiter/charge/is-pool-name.js';
import type { Limiter } from '../limiter/create-limiter.js';
import { errorOf } from '../model/errors.js';
import type { Precision } from '../model/limit-parameters.js';
import { countableSubject, rootOf, type Subject } from '../model/subject.js';
import type { PoolFinder } from '../rules/matching/pool-finder.js';
import type { Ruleset } from '../rules/matching/ruleset.js';
import { mayWaitForSlot } from './answer/is-slot-limit.js';
import { type LimitOutcome, outcomesOf } from './answer/limit-outcome.js';
import { createChargeBinder } from './charge-binder.js';
import { denierOf } from './charge-fee.js';
import { createClientOf } from './create-client-of.js';
import { DENIAL_VERDICTS } from './denial-verdicts.js';
import { OPERATION_TYPES } from './price-operation.js';
import { ceilingsOf, findExceededCeiling, requestedAmounts } from './requested-amounts.js';
import { isTooLarge, tooManyLimitsError } from './too-many-limits-error.js';

/** An operation as a client would send it. */
interface SentOperation {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
}

interface PreviewedOperation extends SentOperation {
  /** Caller of the operation. */
  as: Subject;
  /** Name of the client. @default none */
  client?: string | undefined;
  /** Version of the client, which chooses among the versions that have registered the document. @default none */
  clientVersion?: string | undefined;
  /** Time whose rules decide. @default now */
  at?: Date | undefined;
}

export interface PreviewOptions {
  schema: GraphQLSchema;
  analyzer: CostAnalyzer;
  limiter: Pick<Limiter, 'peek'>;
  /** Returns the rules in force. Called on each preview. */
  ruleset(): Ruleset;
  /** Mode of the rules. `SHADOW` never denies. */
  mode: 'ENFORCE' | 'SHADOW';
  /** Precision of the tier buckets. @default 'EXACT' */
  tierPrecision?: Precision | undefined;
  /** Limits of documents, the same as for operations that clients send. */
  documentLimits?: Partial<DocumentLimits> | undefined;
  /** Pools of operations with a Redis of their own. @default none */
  poolFinder?: PoolFinder | undefined;
  /** Client names of agents. @default 'mcp' */
  agentClients?: readonly string[] | undefined;
  /** Lookup of registered documents. @default no document is registered */
  registered?: RegisteredDocuments | undefined;
}

/**
 * Creates the functions that preview the decision about an operation and its cost, without charging
 * or running the operation.
 */
export function createPreview(options: PreviewOptions) {
  const { schema, analyzer, limiter, ruleset, mode, tierPrecision, documentLimits, poolFinder } = options;
  const binder = createChargeBinder({ mode, tierPrecision, poolFinder });
  const check = createDocumentCheck(documentLimits);
  const clientOf = createClientOf(options.agentClients);

  function compile({ query, operationName }: SentOperation) {
    const document = read(schema, query, check);
    const operation = getOperationAST(document, operationName);
    if (!operation) throw badOperation('operationName: expected the name of an operation of the document');
    const identity = { type: OPERATION_TYPES[operation.operation], name: operation.name?.value };
    return { identity, plan: analyzer.compile(document, operationName ?? null) };
  }

  /** Resolves to undefined if the store is unavailable, as for a request with a text. */
  async function findRegistered(text: string, client: ClientName): Promise<RegisteredDocument | undefined> {
    try {
      return await options.registered?.find(sha256Of(text), client);
    } catch {
      return undefined;
    }
  }

  return {
    /**
     * Returns the limits that apply to this operation of this caller, and the decision that they
     * would make now. With `at`, they are the limits of that time, with the counters as they are
     * now.
     */
    async previewOf({ as, at, client, clientVersion, ...sent }: PreviewedOperation) {
      const subject = countableSubject(as);
      const { plan, identity } = compile(sent);
      const rules = at === undefined ? ruleset() : ruleset().at(at.getTime());
      const tier = rules.tier(subject.tier);
      const priced = plan.bind(sent.variables);
      const estimate = priced.estimate();
      const requestedCost = estimate.cost;
      const registered = await findRegistered(sent.query, { app: client, version: clientVersion });
      const facts = { subject, root: rootOf(subject), ...clientOf(() => client), document: registered };
      const bound = binder.bind(plan, priced, requestedCost, rules, tier, identity, facts);
      if (isTooLarge(bound)) throw tooManyLimitsError(bound);
      const pool = bound.pool?.name ?? DEFAULT_POOL;
      const states = await limiter.peek({ subject, limits: bound.charges, pool });
      const outcomes = outcomesOf(bound.limits, states);
      const chargeOf = (id: string) => bound.charges.find((charge) => charge.id === id);
      const common = {
        requestedCost,
        tier: tier.name,
        ceilings: ceilingsOf(tier, estimate),
        maxCostPerOperation: tier.maxCostPerOperation,
        pool,
      };
      const limits = outcomes.map(({ limit, state }) => ({
        rule: limit.ruleName,
        scope: limit.scope,
        field: limit.pattern.text,
        measure: limit.measure,
        mode: mode === 'SHADOW' ? mode : limit.mode,
        precision: chargeOf(state.id)?.precision ?? 'EXACT',
        cost: chargeOf(state.id)?.cost ?? 0,
        limit: state.limit,
        wholeLimit: state.part?.wholeLimit ?? state.limit,
        region: state.part?.region ?? null,
        remaining: state.remaining,
        wouldDeny: state.violated || state.wouldDeny,
        retryAfterMs: state.retryAfterMs,
        resetAtMs: state.resetAtMs,
      }));
      if (mode === 'ENFORCE' && findExceededCeiling(tier, requestedAmounts(tier, estimate))) {
        const deniedBy = `tier:${tier.name}`;
        return { ...common, verdict: 'MAX_COST_EXCEEDED' as const, deniedBy, retryAfterMs: null, limits };
      }
      if (mode === 'ENFORCE' && bound.unknownRule) {
        const deniedBy = bound.unknownRule.name;
        return { ...common, verdict: 'UNAVAILABLE' as const, deniedBy, retryAfterMs: null, limits };
      }
      const { decision } = states;
      if (!decision.admitted) {
        const deniedBy = denierOf(decision.deniedBy, outcomes);
        return {
          ...common,
          verdict: lacksOnlyAwaitedSlots(outcomes) ? ('WAITING' as const) : DENIAL_VERDICTS[decision.code],
          deniedBy,
          retryAfterMs: decision.retryAfterMs ?? null,
          limits,
        };
      }
      const verdict = decision.delayMs > 0 ? ('DELAYED' as const) : ('ADMITTED' as const);
      return { ...common, verdict, deniedBy: null, retryAfterMs: null, limits };
    },

    /** Returns the estimated cost of the operation, by field and by path. */
    explainOf(sent: SentOperation) {
      const priced = compile(sent).plan.bind(sent.variables);
      const { cost, typeCost, fieldCost, nodes, fields } = priced.estimate();
      return { cost, typeCost, fieldCost, nodes, fields, tree: priced.explain() };
    },
  };
}

/** Returns whether a denied operation would wait: it lacks only slots of limits with `maxWaitMs`. */
function lacksOnlyAwaitedSlots(outcomes: readonly LimitOutcome[]): boolean {
  const lacking = outcomes.filter(({ state }) => state.violated);
  return lacking.length > 0 && lacking.every(({ limit, state }) => mayWaitForSlot(limit) && state.retryAfterMs > 0);
}

/**
 * Parses and validates a document against the schema. Throws a GraphQLError if it is too large or
 * invalid.
 */
function read(schema: GraphQLSchema, query: string, check: DocumentCheck): DocumentNode {
  const tooLarge = check.ofText(query);
  if (tooLarge) throw tooLarge;
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    throw badOperation(`query: ${error instanceof Error ? error.message : String(error)}`);
  }
  const rejection = check.ofParsed(schema, document);
  if (rejection) throw rejection;
  const [first] = validate(schema, document, undefined, { maxErrors: 1 });
  if (first) throw badOperation(`query: ${first.message}`);
  return document;
}

function badOperation(message: string): GraphQLError {
  return errorOf('BAD_USER_INPUT', message);
}
