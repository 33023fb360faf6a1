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

/**
 * Bucket of each administrator, in each process. A page of a hundred rules with their histories
 * costs several thousand tokens.
 */
const BUCKET = { capacity: 200_000, refillAmount: 5_000, refillPeriodMs: 1000, maxCostPerOperation: 100_000 };

/**
 * Bucket of an address that sends requests without a valid token: a hundred such requests, and one
 * more per second.
 */
const STRANGERS_BUCKET = { capacity: 5_000, refillAmount: 50, refillPeriodMs: 1000 };

/**
 * Fee for requests that never reach an operation: bad tokens, syntax errors, invalid JSON. Each
 * costs a look-up or a parse.
 */
const FEE = 50;

/**
 * Price of each `__schema` and `__type`. The schema of the admin API is large, and tools
 * request all of it.
 */
const INTROSPECTION_PRICE = 500;

/**
 * Price of each thousand rows of an export, charged before they are read. It equals the price of a
 * query that aggregates usage.
 */
const EXPORT_PAGE_COST = 2_000;

/**
 * Bucket for the logins of each token. A login and its logout each add a row to the record of
 * changes. Rows of the record are never deleted, and every other change waits while a row is
 * written. So a VIEWER must not be able to fill the record.
 */
const LOGIN_BUCKET = { capacity: 60, refillAmount: 1, refillPeriodMs: 60_000 };

/**
 * Weights of queries that aggregate many rows in the database. Their load is larger than their
 * results suggest. With these weights, queries that keep the database busy for one second cost as
 * many tokens as are refilled in one second.
 */
const WEIGHTS = {
  usage: 2_000,
  topCallers: 2_000,
  topTenants: 2_000,
  topOperations: 2_000,
  topFields: 2_000,
  topIntegrations: 2_000,
  topRegions: 2_000,
  denials: 1_000,
  violations: 2_000,
  operationAccuracy: 2_000,
  fieldAccuracy: 2_000,
  documentVersions: 1_000,
  documentsCheck: 5_000,
  brokenDocuments: 10_000,
  schemaSdl: 500,
  ruleSimulate: 20_000,
};

/** Weights of changes of many objects. All other changes wait for these. */
const MUTATION_WEIGHTS = { subjectAssignTiers: 5_000, policySync: 2_000, documentVersionPush: 2_000 };

/** Types of the lists that have a `totalCount`. */
const COUNTED = ['Tier', 'Rule', 'Subject', 'AdminToken', 'ConsoleSession', 'Change', 'Denial', 'DocumentVersion'];

const SUBSCRIPTIONS_ELSEWHERE = `${ERRORS.BAD_REQUEST.message}: send subscriptions to /admin/graphql/stream, which answers with server-sent events`;

const OVERLAY: CostOverlay = {
  ...Object.fromEntries(Object.entries(WEIGHTS).map(([field, cost]) => [`Query.${field}`, { cost }])),
  ...Object.fromEntries(Object.entries(MUTATION_WEIGHTS).map(([field, cost]) => [`Mutation.${field}`, { cost }])),
  // A count stops at ten thousand rows, so its price is constant.
  ...Object.fromEntries(COUNTED.map((name) => [`${name}Connection.totalCount`, { cost: 200 }])),
  // Price per object of a list. It is low because one statement reads the data of all objects of a
  // list.
  'Subject.usage': { cost: 20 },
  'Rule.usage': { cost: 20 },
  'Rule.denied': { cost: 20 },
  'Rule.shadowDenied': { cost: 20 },
  'Rule.neverApplies': { cost: 20 },
  'Rule.warnings': { cost: 20 },
  'Rule.violations': { cost: 100 },
  'Rule.denials': { cost: 50 },
  'TopOperation.spread': { cost: 50 },
  'TopOperation.documents': { cost: 10, listSize: { assumedSize: 5 } },
  'Violation.lastAt': { cost: 10 },
  'Violation.operations': { cost: 10, listSize: { assumedSize: 5 } },
  // Without `first`, the number of limits is unknown.
  'Quota.limits': { listSize: { assumedSize: 20, slicingArguments: ['first'], requireOneSlicingArgument: false } },
  // Documents are not read in one statement for all versions of a list. A price is computed once.
  'DocumentVersion.documents': { cost: 200 },
  'DocumentVersion.callers': { cost: 50, listSize: { assumedSize: 10 } },
  'RegisteredDocument.price': { cost: 20 },
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
  /**
   * Charges the fee of a rejected request to an administrator or to an address. Resolves to the
   * response.
   */
  reject(sender: Sender, errors: readonly AnyError[]): Promise<Answer>;
  /**
   * Charges the fee to the sender of a request for a stream. Every such request costs the fee, even
   * if it is not rejected.
   */
  chargeFee(sender: Sender): Promise<FeeOutcome>;
  /** Charges the price of one page of an export to an administrator. */
  chargeExportPage(name: string): Promise<FeeOutcome>;
  /** Charges a login to an administrator whose token is valid. */
  chargeLogin(name: string): Promise<FeeOutcome>;
}

/**
 * Rejects subscriptions with an error that names their path. It must come before the plugin of
 * Tollgate, which rejects them without naming a path.
 */
const referring: ApolloServerPlugin<AdminContext> = {
  requestDidStart: async () => ({
    async didResolveOperation(context) {
      if (isUnservedSubscription(context)) throw errorOf('BAD_REQUEST', SUBSCRIPTIONS_ELSEWHERE);
    },
  }),
};

/**
 * Protects the admin API with Tollgate's own cost engine, with separate buckets. They bound the
 * load on the database that a stolen or misused token can cause. The counters are in memory, so the
 * admin API does not depend on the limits or the Redis of the protected API.
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
    // Lists that are not connections are short: limits of a rule, members that differ.
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
