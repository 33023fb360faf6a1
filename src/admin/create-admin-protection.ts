import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import { answerRejected } from '../any-server/answer-rejected.js';
import { isUnservedSubscription } from '../apollo/is-unserved-subscription.js';
import type { CostOverlay } from '../cost/annotations/cost-overlay.js';
import { type HandledContext, markPaid } from '../http/handle-graphql.js';
import { ERRORS, errorOf } from '../model/errors.js';
import type { Subject } from '../model/subject.js';
import type { Answer } from '../protection/answer/answer-of.js';
import type { AnyError } from '../protection/answer/http-of-errors.js';
import type { FeeOutcome } from '../protection/charge-fee.js';
import { createTollgate, type Tollgate } from '../tollgate/create-tollgate.js';
import type { AdminContext } from './context/admin-context.js';

/** Each administrator's bucket, in each process: a page of a hundred rules with their histories costs some thousand. */
const BUCKET = { capacity: 200_000, refillAmount: 5_000, refillPeriodMs: 1000, maxCostPerOperation: 100_000 };

/** Of an address that sends requests without a good token: a hundred of them, and one more a second. */
const STRANGERS_BUCKET = { capacity: 5_000, refillAmount: 50, refillPeriodMs: 1000 };

/** For what never reaches an operation: bad tokens, syntax errors, no JSON. Each costs a look-up or a parse. */
const FEE = 50;

/** Of each `__schema` and `__type`: the schema of the administration is large, and tools ask for all of it. */
const INTROSPECTION_PRICE = 500;

/** Of each thousand rows of an export, before they are read: as much as a query that adds up usage. */
const EXPORT_PAGE_COST = 2_000;

/**
 * Logins of each token. Each login and its logout are a row of the record of changes, which is kept forever and which
 * every other change waits for: a VIEWER must not fill it.
 */
const LOGIN_BUCKET = { capacity: 60, refillAmount: 1, refillPeriodMs: 60_000 };

/** What asks the database to add up much is more expensive than what it answers: a second of such queries is a second's refill. */
const WEIGHTS = {
  usage: 2_000,
  topCallers: 2_000,
  topTenants: 2_000,
  topOperations: 2_000,
  topFields: 2_000,
  denials: 1_000,
  violations: 2_000,
  operationAccuracy: 2_000,
  fieldAccuracy: 2_000,
  schemaSdl: 500,
  ruleSimulate: 20_000,
};

/** So are changes of many objects, which all other changes wait for. */
const MUTATION_WEIGHTS = { subjectAssignTiers: 5_000, policySync: 2_000 };

/** Lists that can be asked how long they are. */
const COUNTED = ['Tier', 'Rule', 'Subject', 'AdminToken', 'ConsoleSession', 'Change', 'Denial'];

const SUBSCRIPTIONS_ELSEWHERE = `${ERRORS.BAD_REQUEST.message}: subscriptions are answered at /admin/graphql/stream, as server-sent events`;

const OVERLAY: CostOverlay = {
  ...Object.fromEntries(Object.entries(WEIGHTS).map(([field, cost]) => [`Query.${field}`, { cost }])),
  ...Object.fromEntries(Object.entries(MUTATION_WEIGHTS).map(([field, cost]) => [`Mutation.${field}`, { cost }])),
  // Rows are counted up to ten thousand.
  ...Object.fromEntries(COUNTED.map((name) => [`${name}Connection.totalCount`, { cost: 200 }])),
  // Of each of a list, which are read together.
  'Subject.usage': { cost: 20 },
  'Rule.usage': { cost: 20 },
  'Rule.shadowDenied': { cost: 20 },
  'Rule.violations': { cost: 100 },
  'Rule.denials': { cost: 50 },
  'TopOperation.spread': { cost: 50 },
  // Without `first` it is not known how many there are.
  'Quota.limits': { listSize: { assumedSize: 20, slicingArguments: ['first'], requireOneSlicingArgument: false } },
  'SchemaField.rules': { cost: 5, listSize: { assumedSize: 10 } },
  'DatabaseHealth.version': { cost: 20 },
};

/** Context of a rejected request. */
interface RejectedContext extends HandledContext {
  sender: Subject;
}

export type Sender = { name: string } | { ip: string | undefined };

export interface AdminProtection {
  plugins: ApolloServerPlugin<AdminContext>[];
  documentStore: Tollgate['documentStore'];
  /** Charges the fee of a rejected request to an administrator or to an address. Resolves to the answer. */
  reject(sender: Sender, errors: readonly AnyError[]): Promise<Answer>;
  /** Charges as much for the begin of a stream. */
  chargeFee(sender: Sender): Promise<FeeOutcome>;
  /** Takes the price of a page of an export from an administrator. */
  chargeExportPage(name: string): Promise<FeeOutcome>;
  /** Counts a login of an administrator whose token is good. */
  chargeLogin(name: string): Promise<FeeOutcome>;
}

/** Tells where subscriptions are answered. It has to come before the plugin that would reject them in general terms. */
const referring: ApolloServerPlugin<AdminContext> = {
  requestDidStart: async () => ({
    async didResolveOperation(context) {
      if (isUnservedSubscription(context)) throw errorOf('BAD_REQUEST', SUBSCRIPTIONS_ELSEWHERE);
    },
  }),
};

/**
 * Puts the admin API behind the cost engine that it administers, with a bucket of its own: no token, stolen or mistaken,
 * can ask for more than the database bears. Its counters are in memory, so that the limits of the protected API, and its
 * Redis, have no part in whether it can be administered.
 */
export async function createAdminProtection(schema: GraphQLSchema): Promise<AdminProtection> {
  const quiet = () => {};
  const tollgate = await createTollgate<AdminContext | RejectedContext>({
    schema,
    identify: ({ contextValue }) =>
      'sender' in contextValue ? contextValue.sender : { user: contextValue.actor.name },
    tiers: [
      { name: 'admin', answer: 'FULL', isDefault: true, ...BUCKET },
      { name: 'stranger', answer: 'FULL', ...STRANGERS_BUCKET },
      { name: 'login', answer: 'FULL', ...LOGIN_BUCKET },
    ],
    fee: FEE,
    documentCacheBytes: 8 * 2 ** 20,
    // Lists that are no connections are short: limits of a rule, members that differ.
    cost: { overlay: OVERLAY, inferConnections: true, introspection: INTROSPECTION_PRICE, defaultListSize: 5 },
    logger: { info: quiet, warn: quiet, error: quiet },
  });
  const closing: ApolloServerPlugin<AdminContext> = {
    serverWillStart: async () => ({ serverWillStop: () => tollgate.close() }),
  };
  return {
    plugins: [referring, tollgate.plugin({ onAnswered: markPaid }), closing],
    documentStore: tollgate.documentStore,
    reject(sender, errors) {
      return answerRejected(tollgate.protect, { rejection: errors, contextValue: { sender: subjectOf(sender) } });
    },
    chargeFee: (sender) => tollgate.chargeFee(subjectOf(sender)),
    chargeExportPage: (name) => tollgate.chargeFee({ user: name }, EXPORT_PAGE_COST),
    chargeLogin: (name) => tollgate.chargeFee({ tenant: 'login', user: name, tier: 'login' }, 1),
  };
}

function subjectOf(sender: Sender): Subject {
  if ('name' in sender) return { user: sender.name };
  return { ...(sender.ip !== undefined && { ip: sender.ip }), tier: 'stranger' };
}
