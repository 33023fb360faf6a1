import type { GraphQLSchema } from 'graphql';
import { createExecution } from '../any-server/create-execution.js';
import { createProtect, type Protect, type ReadingProtect } from '../any-server/protect.js';
import type { ProtectedExecution } from '../any-server/protect-execution.js';
import { createPlugin, type PluginHooks } from '../apollo/create-plugin.js';
import type { TollgatePlugin } from '../apollo/tollgate-plugin.js';
import type { SchemaProblem } from '../cost/annotations/schema-problem.js';
import { reportAnnotations } from '../cost/check/report-annotations.js';
import { type CostAnalyzer, createCostAnalyzer } from '../cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../cost/settings/cost-analyzer-options.js';
import { createDocumentStore, type DocumentStore } from '../documents/document-store.js';
import { ALLOW_UNREGISTERED, type RegisteredDocuments } from '../documents/registered-documents.js';
import { type ProtectedSockets, protectWebSockets } from '../graphql-ws/protect-web-sockets.js';
import type { SocketOptions } from '../graphql-ws/socket-options.js';
import type { CallerIdentification, IdentifiedRequests } from '../identity/caller-identification.js';
import type { Limiter, ProtectionLimiter } from '../limiter/create-limiter.js';
import type { PoolHealth } from '../limiter/fallback/engine-observer.js';
import { MAX_LIMITS } from '../model/limit-parameters.js';
import type { Logger } from '../model/logger.js';
import type { Rule } from '../model/rule.js';
import type { StreamsSource, StreamTotals } from '../model/stream-totals.js';
import { countableSubject, type Subject } from '../model/subject.js';
import type { createCallerLog } from '../observability/create-caller-log.js';
import { createPlainLog } from '../observability/create-plain-log.js';
import { reportSometimes } from '../observability/report-sometimes.js';
import { isWholeNumber } from '../options/is-whole-number.js';
import { createFee, type FeeOutcome, type FeeRequest } from '../protection/charge-fee.js';
import type { Connections } from '../protection/connections/create-connections.js';
import { createPreview } from '../protection/create-preview.js';
import { createQuota, type QuotaEntry } from '../protection/create-quota.js';
import { feeOption } from '../protection/fee-option.js';
import { regionPartsOf } from '../protection/region-parts-of.js';
import type { RulesHealth } from '../rules/live/live-rules.js';
import type { SubjectCache } from '../rules/live/subject-cache.js';
import { findRuleWarnings } from '../rules/matching/find-rule-warnings.js';
import { createKnownFields } from '../rules/matching/known-fields.js';
import { createPoolFinder } from '../rules/matching/pool-finder.js';
import type { Ruleset } from '../rules/matching/ruleset.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import type { Clock } from '../runtime/clock.js';
import { inNoServer } from '../runtime/packages/in-no-server.js';
import type { SizedCache } from '../runtime/sized-cache.js';
import { withAwaitHint } from '../runtime/with-await-hint.js';
import type { UsageRecorder } from '../usage/record/create-usage-recorder.js';
import { checkTollgateOptions } from './check-tollgate-options.js';
import type { Administration } from './create-administration.js';
import { createDocumentWarmer } from './create-document-warmer.js';
import { createPricedSchemas } from './create-priced-schemas.js';
import { effectiveSettings } from './effective-settings.js';
import { guardedCallbacks } from './guarded-callbacks.js';
import { openParts } from './open-parts.js';
import { openRegisters } from './open-registers.js';
import type { TollgateOptions } from './tollgate-options.js';

interface ProtectedSchema {
  schema: GraphQLSchema;
  /** Pricing options. @default as given to `createTollgate` */
  cost?: CostAnalyzerOptions | undefined;
}

export interface Tollgate<Context extends object = object> {
  /**
   * Creates the Apollo Server plugin: `new ApolloServer({ schema, plugins: [tollgate.plugin()] })`.
   */
  plugin(hooks?: PluginHooks<Context>): TollgatePlugin<Context>;
  /**
   * Prices and charges one request before it runs, for servers other than Apollo Server. If the
   * request is not admitted, send its `answer`. Otherwise pass its `run` a function that executes
   * the document, and send the response to which `run` resolves.
   */
  readonly protect: Protect<Context>;
  /**
   * Returns functions that execute operations over WebSockets instead of the functions of
   * graphql-js, with the same prices and limits. The plugin for Apollo Server receives none of
   * these operations. With graphql-ws: `useServer(tollgate.execution({ schema, context: ({ extra })
   * => ({ req: extra.request }) }), sockets)`. Without options it returns only `execute` and
   * `subscribe`, for servers that parse and validate the documents themselves.
   */
  execution(): ProtectedExecution;
  execution<Options extends object>(options: Options): Options & ProtectedExecution;
  /**
   * Returns the options of a graphql-ws server whose connections, operations and events are limited.
   * Callers are identified by the headers of the handshake, or by `headersOf` of the second argument
   * from `connectionParams`: `const { verifyClient, options } = tollgate.webSockets({ schema })`,
   * `useServer(options, new WebSocketServer({ server, path: '/graphql', verifyClient }))`.
   * @param contextOf returns the context with which `identify` is called for a connection.
   * @default an object with the request as `req`
   * @throws TypeError that lists every mistake in the second argument
   */
  webSockets<Options extends object>(
    options: Options,
    sockets?: SocketOptions,
    contextOf?: (request: never) => Context,
  ): ProtectedSockets<Options>;
  /**
   * Protects another schema with the same limits and counters, for a schema that changes while the
   * server runs. From then on, previews and the admin API use the new schema.
   * @throws TypeError that lists every mistake in the annotations of the schema
   */
  protectWith(changed: ProtectedSchema): Protect<Context>;
  /**
   * Store of parsed documents, bounded by `documentCacheBytes`. It drops documents of which no
   * operation was ever admitted. Use it for one server only:
   * `new ApolloServer({ documentStore: tollgate.documentStore, ... })`.
   */
  readonly documentStore: DocumentStore;
  /**
   * Texts of persisted queries, shared with the other instances through `redis`, so that a client
   * pays the fee of an unknown hash once:
   * `new ApolloServer({ persistedQueries: { cache: tollgate.persistedTexts }, ... })`.
   */
  readonly persistedTexts: SizedCache<string>;
  readonly analyzer: CostAnalyzer;
  /**
   * Returns the mistakes in the annotations of the schema, and warnings: annotations that are
   * ignored, and lists whose size is only a guess, with the annotation to add.
   */
  check(): readonly SchemaProblem[];
  readonly limiter: Limiter;
  /** Returns the current state of every limit that may apply to a subject. Charges nothing. */
  quota(subject: Subject): Promise<QuotaEntry[]>;
  /**
   * Resets a subject's quotas. Counters that it shares with other subjects are not reset. Resolves
   * to false if Redis did not confirm the reset.
   */
  resetQuota(subject: Subject): Promise<boolean>;
  /** Previews: the decision about an operation and its cost, without charging or running it. */
  readonly preview: ReturnType<typeof createPreview>;
  /** Tiers, rules, subjects and keys in PostgreSQL; undefined without `postgres`. */
  readonly store: RulesStore | undefined;
  /** Cache of API keys, and of the stored data of subjects; undefined without `postgres`. */
  readonly subjects: SubjectCache | undefined;
  /** Counts of recorded and stored usage since the start; undefined if no usage is recorded. */
  readonly usage: Pick<UsageRecorder, 'numbers' | 'suppressed' | 'failures'> | undefined;
  /** Returns the state of each Redis as this process sees it; empty without one. */
  engineHealth(): PoolHealth[];
  /**
   * Returns messages for operators about problems that prevent no decision, such as an outage or
   * invalid rules.
   */
  problems(): string[];
  /**
   * Administration that `createAdminHandler` of `tollgate/admin` serves; undefined without
   * `postgres`.
   */
  readonly administration: Administration | undefined;
  /**
   * Returns the version and source of the rules in force, and the reasons if newer ones are not in
   * force; undefined without `postgres`.
   */
  health(): RulesHealth | undefined;
  /**
   * Charges the fee of a request that did not reach the API, such as invalid JSON, a bad credential
   * or a body that is too large. With `amount`, charges this number of whole tokens for something
   * that is not an operation.
   */
  chargeFee(subject: Subject, amount?: number): Promise<FeeOutcome>;
  /**
   * Closes the connections that Tollgate opened. A Redis client or database that was passed in
   * stays open.
   */
  close(): Promise<void>;
}

/**
 * Protects a GraphQL API: prices each operation and charges it to every limit that applies, or to
 * none.
 *
 * @throws TypeError that lists every mistake in the options, their tiers and rules included, or in
 * the annotations of the schema.
 * @example
 * const tollgate = await createTollgate({ schema });
 * const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
 * await startStandaloneServer(server, { context: async ({ req }) => ({ req }) });
 */
export function createTollgate<Context extends object = object>(
  options: TollgateOptions<Context>,
): Promise<Tollgate<Context>> {
  const opened: Promise<Tollgate<Context>> = openTollgate(options, undefined);
  return withAwaitHint(opened, 'createTollgate', [
    'plugin',
    'protect',
    'protectWith',
    'execution',
    'webSockets',
    'documentStore',
  ]);
}

/** A Tollgate with additional parts for the platform. */
export interface PlatformTollgate<Context extends object> extends Tollgate<Context> {
  readonly callers: Pick<CallerIdentification<Context>, 'ofRequest' | 'addressOf'>;
  readonly limiter: ProtectionLimiter;
  /** Ends all open subscriptions, and each new one at once, because the server stops. */
  endStreams(): void;
  /** Registered documents; undefined without `postgres`. */
  readonly registered: RegisteredDocuments | undefined;
  /** Takes the slots of WebSockets, for servers that accept them. */
  readonly connections: Connections;
  streams(): StreamTotals;
  /** Decides about operations that other servers execute, with the latest schema. */
  readonly decide: ReadingProtect<Context>['decide'];
}

interface OpenOptions {
  /** Clock of the limits, for tests. */
  readonly clock?: Clock | undefined;
  /** Whether guessed prices are logged. A gateway logs them itself. @default true */
  readonly logsGuesses?: boolean;
  /** Registered documents, for tests. @default those of PostgreSQL */
  readonly registered?: RegisteredDocuments;
}

/** Opens a Tollgate for a server that identifies its callers with `requests`. */
export async function openTollgate<Context extends object>(
  options: TollgateOptions<Context>,
  requests: IdentifiedRequests<Context> | undefined,
  { clock, logsGuesses = true, ...given }: OpenOptions = {},
): Promise<PlatformTollgate<Context>> {
  const policy = checkTollgateOptions(options);
  const { schema, service, pools = [], logger = createPlainLog({ name: 'tollgate' }) } = options;
  const analyzer = createCostAnalyzer(schema, options.cost);
  const documentStore = createDocumentStore({ maxBytes: options.documentCacheBytes });
  const found = analyzer.check();
  reportAnnotations(found, logger, { ...options.cost, logsGuesses });
  const poolFinder = pools.length === 0 ? undefined : createPoolFinder(pools);
  const streams: StreamsSource = {};
  const parts = await openParts({ options, policy, analyzer, logger, requests, clock, streams });
  const { limiter, stored, ruleset, subjects, rulesHealth, persistedTexts, now } = parts;
  const apps = stored || given.registered ? stored?.documents.published()?.apps : new Set<string>();
  warnOfRules(policy.rules, { ...ruleset(), apps }, schema, logger);
  const { mode = 'ENFORCE', denialStatus = 429, documentLimits, tierPrecision, agentClients } = options;
  const fee = options.fee ?? feeOption.default;
  const chargeFee = createFee({ limiter, fee, mode, denialStatus, poolFinder, now, onAnswer: stored?.usage?.record });
  const registered = given.registered ?? stored?.documents;
  const rules = { limiter, ruleset, mode, tierPrecision, agentClients, documentLimits, poolFinder, fee };
  const described = { ...rules, registered, region: options.region, regionPartsOf: regionPartsOf(limiter) };
  const schemas = createPricedSchemas({
    first: { schema, analyzer },
    problems: found,
    cost: options.cost,
    previewOf: (priced) => createPreview({ ...priced, ...described }),
    logsGuesses,
    logger,
  });
  const executions = createExecution<Context>(() => ({ ...reading, schema, documentLimits }));
  const report = reportsTo(logger, parts.callerLog);
  const open = openRegisters({ ...rules, now, onAnswer: stored?.usage?.record, onError: report.onError, streams });
  const protectionOptions = {
    schema,
    analyzer,
    limiter,
    identify: parts.callers.identification,
    ruleset,
    chargeFee,
    poolFinder,
    mode,
    tierPrecision,
    agentClients,
    denialStatus,
    now,
    ...report,
    registered,
    documentPolicy: { ...ALLOW_UNREGISTERED, ...options.documents },
    forgetDocument: documentStore.forget,
    ...(documentLimits && { documentLimits }),
    ...guardedCallbacks(options, logger),
    observers: parts.observers,
    subscriptions: open.subscriptions,
    isExecutionProtected: executions.isUsed,
    priceChanged: schemas.priceServed,
    ...(options.cost?.minimumCost !== undefined && { minimumCost: options.cost.minimumCost }),
  };

  const { documentCacheBytes } = options;
  const reading: ReadingProtect<Context> = createProtect<Context>({
    ...protectionOptions,
    documentCacheBytes,
    persistedTexts,
  });
  const sockets = { identify: parts.callers.identification, agentClients, ...open };
  let latest = reading;
  const schemaInForce = () => schemas.current().priced.schema;
  const warm = createDocumentWarmer({
    reading: () => latest,
    documentStore,
    schema: schemaInForce,
    documentCacheBytes,
  });
  const watch = stored?.watchDocuments({ schema: schemaInForce, warm });

  return {
    ...inNoServer('the object that createTollgate resolves to'),
    analyzer,
    check: () => analyzer.check(),
    documentStore,
    persistedTexts,
    registered,
    callers: parts.callers,
    ...open.forPlatform,
    limiter,
    store: stored?.store,
    subjects,
    usage: stored?.usage,
    health: rulesHealth,
    engineHealth: () => limiter.health(),
    problems: () => [...parts.outages(), ...schemas.current().misfits, ...(watch?.problems() ?? [])],
    administration: stored?.administer({
      settings: effectiveSettings(options),
      service,
      now,
      rulesInCode: policy.rules,
      tiersInCode: options.tiers ? policy.tiers.map(({ version: _version, ...tier }) => tier) : [],
      priced: () => schemas.current().priced,
      ...described,
    }),
    get preview() {
      return schemas.current().preview;
    },
    plugin: Object.assign((hooks?: PluginHooks<Context>) => createPlugin<Context>(protectionOptions, hooks), uncalled),
    protect: reading.protect,
    execution: <Options extends object>(given?: Options) => executions.execution(given),
    webSockets: (given, ...more) => protectWebSockets({ ...reading, ...executions, ...sockets }, given, ...more),
    protectWith(changed) {
      const priced = schemas.price(changed.schema, changed.cost);
      latest = createProtect<Context>({ ...protectionOptions, ...priced, documentCacheBytes, persistedTexts });
      return latest.protect;
    },
    decide: (request) => latest.decide(request),
    ...createQuota({ limiter, ruleset, poolFinder }),
    chargeFee: (subject, amount) => chargeFee(feeRequestOf(ruleset(), subject, amount)),
    close: () => open.endingFirst(parts.close),
  };
}

/** Warns of rules in code that have no effect or not the intended one. */
function warnOfRules(
  rulesInCode: readonly Rule[],
  { rules, tiers, apps }: Pick<Ruleset, 'rules' | 'tiers'> & { apps: ReadonlySet<string> | undefined },
  schema: GraphQLSchema,
  logger: Logger,
): void {
  const inCode = new Set(rulesInCode.map(({ name }) => name));
  const warnings = findRuleWarnings({
    rules: rules.filter(({ name }) => inCode.has(name)),
    among: rules,
    tiers,
    fields: createKnownFields([schema]),
    apps,
  });
  for (const { message } of warnings) logger.warn(message);
}

/** Returns the callbacks that report to the log. */
function reportsTo(logger: Logger, { unknownTier, unknownField }: ReturnType<typeof createCallerLog>) {
  return {
    onError: (error: unknown) => logger.error({ err: error }, 'A charge could not be made or settled'),
    onWarning: (message: string) => logger.warn(message),
    onTooManyLimits: reportTooManyLimits(logger),
    onUnknownTier: unknownTier,
    onUnknownField: unknownField,
  };
}

function reportTooManyLimits(logger: Logger): (count: number) => void {
  return reportSometimes((count) =>
    logger.warn(
      `Operations are rejected because more limits apply to them (${count}) than one charge can include (${MAX_LIMITS}): use fewer rules by field`,
    ),
  );
}

function feeRequestOf(ruleset: Ruleset, subject: Subject, amount: number | undefined): FeeRequest {
  return {
    ruleset,
    subject: countableSubject(subject),
    amount: amount === undefined ? undefined : wholeTokens(amount),
  };
}

function wholeTokens(fee: number): number {
  const { least, most } = feeOption;
  if (isWholeNumber(fee, least, most)) return fee;
  throw new TypeError(`amount: expected a whole number of tokens from ${least} to ${most}, got ${fee}`);
}

const uncalled = inNoServer('tollgate.plugin, which is not called: add ()');
