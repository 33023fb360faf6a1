/* eslint-disable */
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A moment in RFC 3339, `2026-01-31T12:00:00.000Z`, or a day, `2026-01-31`, which is its beginning in UTC. */
  DateTime: { input: string; output: string; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
  /** A whole number up to 2^53 - 1 in either direction, as a JSON number. */
  SafeInt: { input: number; output: number; }
};

/** What an administrator may do; each may all that the ones before it may. */
export type AdminRole =
  /** Everything: tiers, rules, policies, administrators. */
  | 'ADMIN'
  /** Run the day: tiers, buckets and keys of callers, modes of rules. */
  | 'OPERATOR'
  /** Look at everything but the tokens of administrators. */
  | 'VIEWER';

/** A new token for an administrator. */
export type AdminTokenCreateInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** When it stops being good; left out: never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Your text of 1 to 200 characters: the request is made once in a day. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Who will hold it, 1 to 100 characters. Unique among the tokens in use. */
  name: Scalars['String']['input'];
  /** What may be done with it. */
  role: AdminRole;
};

/** Ends a token for ever; by its name also the one that it took the place of. */
export type AdminTokenRevokeInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** The id of the token; or its name. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The name of the token, in place of its id. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** Makes a new token of the same name and role in place of an old one. */
export type AdminTokenRotateInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** When the new token stops being good; left out: when the old one would have. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** The id of the token; or its name. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The name of the token, in place of its id. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** How long the old token is still good, up to 90 days; left out: 0. */
  overlapMs?: InputMaybe<Scalars['SafeInt']['input']>;
};

/** How much an answer says of cost and limits. */
export type AnswerDetail =
  /** What it cost, the bucket of the tier, and the one other limit that is nearest to denying. */
  | 'BRIEF'
  /** Every limit that applied, the tier and the mode. */
  | 'FULL'
  /** No numbers, in denials neither: these say their code and when to try again. */
  | 'NONE';

/** A new key for a user or tenant that is stored. */
export type ApiKeyCreateInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** When it stops being good; left out: never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Your text of 1 to 200 characters: the request is made once in a day. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** For the people who administer it, up to 100 characters. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** What the key is for; Tollgate passes them on. */
  scopes?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Left out: a key of the tenant as a whole. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Ends a key, everywhere within two seconds and for ever. */
export type ApiKeyRevokeInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** The id of the key; or its prefix. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The prefix of the key, in place of its id. */
  prefix?: InputMaybe<Scalars['String']['input']>;
};

/** Makes a new key in place of an old one. */
export type ApiKeyRotateInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** The id of the key; or its prefix. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** How long the old key is still good, up to 90 days; left out: 0. */
  overlapMs?: InputMaybe<Scalars['SafeInt']['input']>;
  /** The prefix of the key, in place of its id. */
  prefix?: InputMaybe<Scalars['String']['input']>;
};

/** How an actor proved who they are. */
export type AuthMethod =
  /** By the token of an administrator. */
  | 'ADMIN_TOKEN'
  /** By having the settings of the platform, on the command line. */
  | 'COMMAND_LINE'
  /** Not at all: an address that guessed tokens. */
  | 'NONE'
  /** To the server that the API is mounted in. */
  | 'SERVER'
  /** It is Tollgate itself. */
  | 'SYSTEM';

/** Of the circuit breaker in front of a Redis. */
export type BreakerState =
  /** It answers, and decides. */
  | 'CLOSED'
  /** It is being tried again; limits are decided without it. */
  | 'HALF_OPEN'
  /** It does not answer: limits are decided without it. */
  | 'OPEN';

/** A token bucket. */
export type BucketInput = {
  /** Tokens that fit into it, 1 to 2147483647. */
  capacity: Scalars['Int']['input'];
  /** Whole tokens that flow back, evenly, in each period. */
  refillAmount: Scalars['Int']['input'];
  /** The period of the refill in milliseconds. */
  refillPeriodMs: Scalars['SafeInt']['input'];
};

/** The parameters of a bucket that limits what a rule counts. */
export type BucketLimitInput = {
  /** How much fits into the bucket, so how much may be spent at once. */
  capacity: Scalars['Int']['input'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: InputMaybe<Scalars['Boolean']['input']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** How far below zero a settlement may take it; absent: one capacity. */
  maxDebt?: InputMaybe<Scalars['Int']['input']>;
  /** How much flows back, evenly, in each `refillPeriodMs`. */
  refillAmount: Scalars['Int']['input'];
  /** The period of the refill: 100 an hour is 100 per 3600000. */
  refillPeriodMs: Scalars['SafeInt']['input'];
};

/** What a caller is known by. */
export type CallerKind =
  /** Nothing but an address. */
  | 'ANONYMOUS'
  /** An API key that stands for no user. */
  | 'API_KEY'
  /** Callers that are not told apart: too many different ones came in one minute. */
  | 'OTHER'
  /** The id of a tenant: all of its users and keys. */
  | 'TENANT'
  /** The id of a user. */
  | 'USER';

/** What was done to the object. */
export type ChangeAction =
  /** It was made. */
  | 'CREATE'
  /** It was removed; only the record of changes still has it. */
  | 'DELETE'
  /** Nothing: the attempt was denied. */
  | 'DENIED'
  /** The caller was shut out. */
  | 'DISABLE'
  /** The caller was let in again. */
  | 'ENABLE'
  /** A browser logged in to the console. */
  | 'LOGIN'
  /** The session of a browser was ended, by who had it or by an admin. */
  | 'LOGOUT'
  /** The caller got a bucket of their own, or lost it. */
  | 'OVERRIDE'
  /** The caller got full quotas again. */
  | 'RESET_QUOTA'
  /** It was put back into use, or to an earlier version. */
  | 'RESTORE'
  /** It was taken out of use. */
  | 'RETIRE'
  /** It was ended for ever. */
  | 'REVOKE'
  /** A key took its place. */
  | 'ROTATE'
  /** It was changed. */
  | 'UPDATE';

/** Which changes; all conditions together. */
export type ChangeFilter = {
  /** Changes that this actor has made. */
  actor?: InputMaybe<Scalars['String']['input']>;
  /** Changes of this kind of object. */
  entity?: InputMaybe<ChangedEntity>;
  /** Of the thing with this `Change.key`. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** Of what has or had this name: a tier, a rule, a token; the id of a user or a tenant; the prefix of an API key; a denied operation; the address of an API behind gateways. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** From this moment on. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Before this moment. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
};

/** What a change is about. */
export type ChangedEntity =
  /** An attempt that was denied; the key is the operation. Nothing was changed. */
  | 'ACCESS'
  /** The token of an administrator. */
  | 'ADMIN_TOKEN'
  /** An API key; the key is its prefix. */
  | 'API_KEY'
  /** A rule. */
  | 'RULE'
  /** An API behind gateways, by its address: it has another schema, or other prices. What differs is named by coordinate. */
  | 'SCHEMA'
  /** A browser that logged in to the console, or out; the key is the number of the session. */
  | 'SESSION'
  /** A user or a tenant; or, of a quota that was reset, the caller who was named. */
  | 'SUBJECT'
  /** A tier; the key is its name. */
  | 'TIER';

/** An operation of a protected API, and who would ask for it. */
export type ChargePreviewInput = {
  /** Who would ask. */
  as: SubjectInput;
  /** Which of its operations, where there are several. */
  operationName?: InputMaybe<Scalars['String']['input']>;
  /** A document of the protected API: `{ countries(first: 20) { name } }`. */
  query: Scalars['String']['input'];
  /** One of `services`; left out: the API that answers, or the only one. */
  service?: InputMaybe<Scalars['String']['input']>;
  /** Its variables, as a JSON object. */
  variables?: InputMaybe<Scalars['JSON']['input']>;
};

/** How many operations may run at the same time. */
export type ConcurrencyLimitInput = {
  /** How many operations may run at the same time. Up to 10000. */
  capacity: Scalars['Int']['input'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: InputMaybe<Scalars['Boolean']['input']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** After how many milliseconds a slot is free again at the latest. */
  leaseMs: Scalars['SafeInt']['input'];
};

/** Logs a browser out. */
export type ConsoleSessionEndInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** The id of the session. */
  id: Scalars['ID']['input'];
};

/** An operation of a protected API. */
export type CostExplainInput = {
  /** Which of its operations, where there are several. */
  operationName?: InputMaybe<Scalars['String']['input']>;
  /** A document of the protected API: `{ countries(first: 20) { name } }`. */
  query: Scalars['String']['input'];
  /** One of `services`; left out: the API that answers, or the only one. */
  service?: InputMaybe<Scalars['String']['input']>;
  /** Its variables, as a JSON object. */
  variables?: InputMaybe<Scalars['JSON']['input']>;
};

/** Why an operation was denied. */
export type DenialCode =
  /** It costs more than the limit can ever hold. */
  | 'MAX_COST_EXCEEDED'
  /** There was no room at that time. */
  | 'THROTTLED'
  /** A limit that must not be skipped could not be checked. */
  | 'UNAVAILABLE';

/** Which denials; all conditions together. */
export type DenialFilter = {
  /** Of the API key with this prefix; of callers without a user. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** Of this address; of callers of whom nothing else is known. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** Of operations with this name. */
  operation?: InputMaybe<Scalars['String']['input']>;
  /** By this rule, or `tier:NAME`. */
  rule?: InputMaybe<Scalars['String']['input']>;
  /** `true`: only what shadow rules would have denied; `false`: only what was denied; left out: both. */
  shadow?: InputMaybe<Scalars['Boolean']['input']>;
  /** Of the users and keys of this tenant. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Of this user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** How a process is doing. */
export type InstanceState =
  /** It decides without something that it needs: `problems` says without what. */
  | 'DEGRADED'
  /** It works as it should. */
  | 'READY';

/** What a limit counts. */
export type Measure =
  /** How often matching fields are resolved. */
  | 'CALLS'
  /** Tokens: the outermost matching fields with all that is below them. */
  | 'COST'
  /** The field cost of the cost-directives draft, whatever the profile. */
  | 'FIELD_COST'
  /** Objects that can be returned, whatever they weigh; in profile `github` the nodes of connections. */
  | 'NODES'
  /** One per operation that has a matching field. */
  | 'REQUESTS'
  /** The type cost of the cost-directives draft, whatever the profile. */
  | 'TYPE_COST';

/** What becomes of a limit while its counters cannot be reached. */
export type OnUnavailable =
  /** It lets nothing through: 503. */
  | 'CLOSED'
  /** Each process decides by counters of its own. */
  | 'LOCAL'
  /** It lets everything through. */
  | 'OPEN';

/** Kinds of operations. */
export type OperationType =
  /** It writes. */
  | 'MUTATION'
  /** It reads. */
  | 'QUERY'
  /** It listens for events. */
  | 'SUBSCRIPTION';

/** What happens to one tier or rule. */
export type PolicyAction =
  /** The document has it, the store does not. */
  | 'CREATE'
  /** The store has it, the document does not, and `prune` was asked for. */
  | 'RETIRE'
  /** Both have it, and they differ. */
  | 'UPDATE';

/** What a step of a policy is about. */
export type PolicyStepKind =
  /** A rule. */
  | 'RULE'
  /** A tier. */
  | 'TIER';

/** Makes tiers and rules what a document says: all of it, or nothing. */
export type PolicySyncInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** YAML or JSON with `tiers` and `rules`, as `schema/policy.schema.json` defines it. What it does not name stays as it is, unless `prune`. */
  document: Scalars['String']['input'];
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** The `version` that a dry run has answered: `STALE_VERSION` if a tier or a rule was changed since, so that what is done is what was planned. */
  expectedVersion?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Your text of 1 to 200 characters: the request is made once in a day. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Retire the rules and tiers that the document does not name. */
  prune?: Scalars['Boolean']['input'];
};

/** How a limit counts. */
export type Precision =
  /** Every operation by itself, in the counter that all instances share. */
  | 'EXACT'
  /** Instances that charge a counter often take tokens ahead for a tenth of a second, and decide without Redis: docs/scale.md has the bounds. */
  | 'LEASED';

/** What would become of the operation now. */
export type PreviewVerdict =
  /** It would run. */
  | 'ADMITTED'
  /** It would run after a wait: a rule throttles it. */
  | 'DELAYED'
  /** It would always be denied: it costs more than a limit holds, or than the tier allows. */
  | 'MAX_COST_EXCEEDED'
  /** It would be denied for now. */
  | 'THROTTLED'
  /** It would be denied: Redis does not answer, and a rule says that this denies (`onUnavailable: CLOSED`). */
  | 'UNAVAILABLE';

/** What a tier costs per month. */
export type PriceInput = {
  /** In the smallest unit of the currency: 4900 USD is 49 dollars. */
  amountMinor: Scalars['SafeInt']['input'];
  /** ISO 4217, three capital letters: `USD`, `EUR`. */
  currency: Scalars['String']['input'];
};

/** What a rule does: `{type: REJECT}`, `{type: THROTTLE, maxDelayMs: 2000}`. */
export type RuleActionInput = {
  /** THROTTLE only: 1 to 60000. */
  maxDelayMs?: InputMaybe<Scalars['Int']['input']>;
  /** What becomes of operations that exceed it. */
  type: RuleActionType;
};

/** What a rule does. */
export type RuleActionType =
  /** Callers that it matches are not limited on its level at all. Such a rule has no limits. */
  | 'EXEMPT'
  /** It denies what exceeds its limits. */
  | 'REJECT'
  /** It lets what lacks tokens wait, up to `maxDelayMs`; it denies what would wait longer. */
  | 'THROTTLE';

/** A new rule. 20 searches a minute per user: `{name: "search", scope: USER, field: "Query.search", measure: CALLS, limits: [{slidingWindowCounter: {amount: 20, windowMs: 60000}}]}`. */
export type RuleCreateInput = {
  /** Left out: `{type: REJECT}`. */
  action?: InputMaybe<RuleActionInput>;
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** For the people who administer it, up to 1000 characters. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** What is counted: `Query.search`, `Query.*`, `*.posts`, or `*`: all. */
  field: Scalars['String']['input'];
  /** Your text of 1 to 200 characters: the request is made once in a day. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** One to eight, all of which have to have room; none for EXEMPT. */
  limits: Array<RuleLimitInput>;
  /** Left out: everything and everybody. */
  match?: InputMaybe<RuleMatchInput>;
  /** Left out: `COST`. */
  measure?: InputMaybe<Measure>;
  /** Left out: `ENFORCE`. Begin with `SHADOW` to see which callers it would deny. */
  mode?: InputMaybe<RuleMode>;
  /** What denials call it: 1 to 100 characters of ASCII, unique in use. */
  name: Scalars['String']['input'];
  /** Left out: `LOCAL`. */
  onUnavailable?: InputMaybe<OnUnavailable>;
  /** Left out: `EXACT`. */
  precision?: InputMaybe<Precision>;
  /** Of the rules of one level that match, only the lowest applies. 0 to 1000000; left out: 100. */
  priority?: InputMaybe<Scalars['Int']['input']>;
  /** What its denials say instead of the usual. */
  response?: InputMaybe<RuleResponseInput>;
  /** Percent of tenants, else users: always the same ones. Left out: 100. */
  rolloutPercent?: InputMaybe<Scalars['Float']['input']>;
  /** Who shares its counters. */
  scope: Scope;
};

/** Which rules; all conditions together. */
export type RuleFilter = {
  /** With exactly this field pattern. */
  field?: InputMaybe<Scalars['String']['input']>;
  /** In this mode. */
  mode?: InputMaybe<RuleMode>;
  /** With this in their name, in any case. */
  nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Those that are out of use, instead of those in use. */
  retired?: Scalars['Boolean']['input'];
  /** With this scope. */
  scope?: InputMaybe<Scope>;
  /** Made for this tier by name. */
  tier?: InputMaybe<Scalars['String']['input']>;
};

/** One number enforced over time, by exactly one algorithm. 20 a minute: `{slidingWindowCounter: {amount: 20, windowMs: 60000}}`. */
export type RuleLimitInput =
  /** So many operations at the same time. */
  { concurrency: ConcurrencyLimitInput; fixedWindow?: never; leakyBucket?: never; slidingWindowCounter?: never; slidingWindowLog?: never; tokenBucket?: never; }
  |  /** An amount for each window of the clock. */
  { concurrency?: never; fixedWindow: WindowLimitInput; leakyBucket?: never; slidingWindowCounter?: never; slidingWindowLog?: never; tokenBucket?: never; }
  |  /** A constant outflow: what comes too fast waits. */
  { concurrency?: never; fixedWindow?: never; leakyBucket: BucketLimitInput; slidingWindowCounter?: never; slidingWindowLog?: never; tokenBucket?: never; }
  |  /** An amount for a window that moves with time, weighted. */
  { concurrency?: never; fixedWindow?: never; leakyBucket?: never; slidingWindowCounter: SlidingWindowCounterInput; slidingWindowLog?: never; tokenBucket?: never; }
  |  /** An amount, up to 1000, for a window that moves with time, to the millisecond. */
  { concurrency?: never; fixedWindow?: never; leakyBucket?: never; slidingWindowCounter?: never; slidingWindowLog: WindowLimitInput; tokenBucket?: never; }
  |  /** Bursts up to the capacity, refilled evenly. */
  { concurrency?: never; fixedWindow?: never; leakyBucket?: never; slidingWindowCounter?: never; slidingWindowLog?: never; tokenBucket: BucketLimitInput; };

/** Which operations and callers a rule is for; a list left out is for all. */
export type RuleMatchInput = {
  /** `["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]` */
  addresses?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Names of clients. They choose them: not for protection. */
  clients?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Names of operations. Clients choose them: not for protection. */
  operationNames?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Kinds of operations: `[MUTATION]`. */
  operationTypes?: InputMaybe<Array<OperationType>>;
  /** Names of tiers: `["free"]`. */
  tiers?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** Whether a rule denies. */
export type RuleMode =
  /** It denies what exceeds it. */
  | 'ENFORCE'
  /** It is not looked at. */
  | 'OFF'
  /** It is evaluated and reported, and denies nobody. Its counters are its own. */
  | 'SHADOW';

/** What a denial by the rule says instead of the usual. */
export type RuleResponseInput = {
  /** `extensions.code`, in capitals: `SEARCH_LIMITED`. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** The message, up to 500 characters. */
  message?: InputMaybe<Scalars['String']['input']>;
  /** The HTTP status, 200 to 599. */
  status?: InputMaybe<Scalars['Int']['input']>;
};

/** Puts a retired rule back into use, or any rule back to an earlier version. */
export type RuleRestoreInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of the rule; or its name. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The name of a rule in use, in place of its id. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** A `version` out of its history. Left out: as it was when it was retired. */
  toVersion?: InputMaybe<Scalars['Int']['input']>;
};

/** Takes a rule out of use. Its history stays, and it can be restored. */
export type RuleRetireInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of the rule; or its name. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The name of a rule in use, in place of its id. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** Switches a rule off, to shadow, or on, for all or for a share. */
export type RuleSetModeInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of the rule; or its name. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The mode that the rule is to have. */
  mode: RuleMode;
  /** The name of a rule in use, in place of its id. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Percent of tenants, else users: always the same ones. Left out: as it is. */
  rolloutPercent?: InputMaybe<Scalars['Float']['input']>;
};

/** A draft of a rule, and the decisions to try it on. */
export type RuleSimulateInput = {
  /** How many callers and operations at most: 1 to 100. */
  first?: Scalars['Int']['input'];
  /** At most a day. Left out: the last 24 hours. Decisions are kept for a day, if not set otherwise. */
  range?: InputMaybe<TimeRangeInput>;
  /** The rule that the draft takes the place of. Left out: it stands beside all rules. */
  replaces?: InputMaybe<Scalars['ID']['input']>;
  /** The name of that rule, in place of its id. */
  replacesName?: InputMaybe<Scalars['String']['input']>;
  /** The draft. It is tried out as if it were enforced, whatever its mode; how it would be saved is ignored. */
  rule: RuleCreateInput;
  /** One of `services`; left out: the API that answers, or the only one. */
  service?: InputMaybe<Scalars['String']['input']>;
};

/** Where a rule is defined. */
export type RuleSource =
  /** In the code of a server: read only. */
  | 'CODE'
  /** In the database. */
  | 'STORED';

/** What to change about a rule. What is left out stays as it is; `match`, `limits`, `action` and `response` are replaced whole. */
export type RuleUpdateInput = {
  /** What becomes of operations that exceed it. */
  action?: InputMaybe<RuleActionInput>;
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** For the people who administer it; null takes it away. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** What is counted: `Query.search`, `Query.*`, `*.posts`, or `*`: all. Another one starts new counters. */
  field?: InputMaybe<Scalars['String']['input']>;
  /** The id of the rule; or its name. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** Other amounts go on with the same counters; another algorithm or window starts new ones, and a warning says so. */
  limits?: InputMaybe<Array<RuleLimitInput>>;
  /** Which operations and callers it is for; `{}`: all. */
  match?: InputMaybe<RuleMatchInput>;
  /** What its limits count. Another one starts new counters. */
  measure?: InputMaybe<Measure>;
  /** Whether it denies. */
  mode?: InputMaybe<RuleMode>;
  /** The name of a rule in use, in place of its id. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The name that it is to have. What denials call it: 1 to 100 characters of ASCII, unique in use. */
  newName?: InputMaybe<Scalars['String']['input']>;
  /** What becomes of it while its counters cannot be reached. */
  onUnavailable?: InputMaybe<OnUnavailable>;
  /** How its limits count. Another one goes on with the same counters. */
  precision?: InputMaybe<Precision>;
  /** Of the rules of one level that match, only the lowest applies. */
  priority?: InputMaybe<Scalars['Int']['input']>;
  /** What its denials say; null: the usual. */
  response?: InputMaybe<RuleResponseInput>;
  /** Percent of tenants, else users: always the same ones. */
  rolloutPercent?: InputMaybe<Scalars['Float']['input']>;
  /** Who shares its counters. Another one starts new counters. */
  scope?: InputMaybe<Scope>;
};

/** Why a gateway is to read its schema again. */
export type SchemaRefreshInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
};

/** Who shares a counter. */
export type Scope =
  /** All requests with one API key. */
  | 'API_KEY'
  /** Everybody shares it. */
  | 'GLOBAL'
  /** All requests from one address (IPv6: one /64, or what `ipv6Prefix` says). */
  | 'IP'
  /** The users and keys of one tenant. */
  | 'TENANT'
  /** One principal: the user, else the API key, else the address. */
  | 'USER';

/** Where the size of a list comes from. */
export type SizeSource =
  /** Its arguments say it; while they are left out, `assumedSize`. */
  | 'ARGUMENTS'
  /** An annotation of the schema says it. */
  | 'ASSUMED_SIZE'
  /** Nothing says it: it is a guess, and `guessedPrices` says what to add. */
  | 'DEFAULT'
  /** A field above it says it, such as that of a connection. */
  | 'PARENT';

/** The parameters of a window that moves with time. */
export type SlidingWindowCounterInput = {
  /** How much is admitted in each window. */
  amount: Scalars['Int']['input'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: InputMaybe<Scalars['Boolean']['input']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** Exact: never more than `amount` in any window, wherever it begins. */
  strict?: InputMaybe<Scalars['Boolean']['input']>;
  /** How long a window is, in milliseconds: a minute is 60000. */
  windowMs: Scalars['SafeInt']['input'];
};

/** Puts a user or a tenant on a tier; stores it if it is not stored yet. */
export type SubjectAssignTierInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The name of the tier; null: the tenant’s, else the default one. */
  tier?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Left out: the tenant as a whole. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Puts many users and tenants on tiers: all of them, or none. */
export type SubjectAssignTiersInput = {
  /** There are 1 to 500, each of another user or tenant. `userErrors` name them by their place: `assignments.3.tier`. */
  assignments: Array<TierAssignmentInput>;
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
};

/** Stores a user or a tenant that is not stored yet. `subjectAssignTier` stores one too, but for whom it finds it changes the tier. */
export type SubjectCreateInput = {
  /** A bucket of its own, in place of the tier’s. */
  bucket?: InputMaybe<BucketInput>;
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** When the tier’s bucket is back; left out: never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Your text of 1 to 200 characters: the request is made once in a day. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The name of its tier. Left out: the tenant’s, else the default one. */
  tier?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Left out: the tenant as a whole. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Removes what is stored about a user or a tenant, who is on the default tier then. Good API keys of it have to be revoked first. */
export type SubjectDeleteInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Left out: the tenant as a whole. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Shuts a user, or a tenant with all its users, out; or lets it in again. */
export type SubjectDisableInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** `false` lets it in again. */
  disabled?: Scalars['Boolean']['input'];
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Left out: the tenant as a whole. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Which users and tenants; all conditions together. */
export type SubjectFilter = {
  /** Shut out, or not. */
  disabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Those with an id that begins with this. */
  idStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** With a bucket of their own that has not expired, or without. */
  overridden?: InputMaybe<Scalars['Boolean']['input']>;
  /** Of this tenant, and the tenant itself. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Those to which this tier is assigned. */
  tier?: InputMaybe<Scalars['String']['input']>;
};

/** Who is asking: an API key, which stands for its user and tenant; or a user, a tenant, an address. */
export type SubjectInput = {
  /** The prefix of an API key, not the key. Its user and tenant are known: leave them out. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** An IPv4 or IPv6 address. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Gives one caller full quotas again: `{user: "42"}`, `{apiKey: "tg_..."}` by its prefix, `{ip: "192.0.2.7"}`, or a tenant. What is shared with others, such as the tenant’s counters of a user, stays as it is. */
export type SubjectResetQuotaInput = {
  /** The prefix of an API key: its own counters, and those of its user. Leave user and tenant out. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** An IPv4 or IPv6 address, for callers without a credential. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. Alone: what the tenant’s users share. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Gives a user or a tenant a bucket of its own, for a while or for good. */
export type SubjectSetOverrideInput = {
  /** In place of the tier’s bucket: what was spent stays spent. Null gives the tier’s bucket back. */
  bucket?: InputMaybe<BucketInput>;
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** When the tier’s bucket is back; left out: never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Left out: the tenant as a whole. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** The tier that one user or tenant is to be on. */
export type TierAssignmentInput = {
  /** The `version` of the subject that the change is based on. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The name of the tier; null: the tenant’s, else the default one. */
  tier?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Left out: the tenant as a whole. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** A new tier. */
export type TierCreateInput = {
  /** How much the answers to its callers say of cost and limits. */
  answer?: AnswerDetail;
  /** How many tokens fit in, so how many may be spent at once. */
  capacity: Scalars['Int']['input'];
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** What people read. Left out: the name. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** Your text of 1 to 200 characters: the request is made once in a day. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Make this the tier of callers to whom no other was assigned. */
  isDefault?: Scalars['Boolean']['input'];
  /** The most tokens that one operation may cost; null: no ceiling. */
  maxCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** The highest field cost of one operation; null: no ceiling. */
  maxFieldCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** The most objects that one operation may return; null: no ceiling. */
  maxNodesPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** The highest type cost of one operation; null: no ceiling. */
  maxTypeCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Per month. Left out or null: none is published. */
  monthlyPrice?: InputMaybe<PriceInput>;
  /** It has 1 to 64 letters, digits and `_` `.` `-`, and identifies the tier for ever, also after it is retired. */
  name: Scalars['String']['input'];
  /** How many whole tokens flow back, evenly, in each period. */
  refillAmount: Scalars['Int']['input'];
  /** The period of the refill: 100 an hour is 100 per 3600000. */
  refillPeriodMs: Scalars['SafeInt']['input'];
};

/** Which tier to take out of use. */
export type TierRetireInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The tier: not the default one, and no rule, user or tenant may name it. */
  name: Scalars['String']['input'];
};

/** Where what is in force of a tier comes from. Tiers are always stored, and can be changed here. */
export type TierSource =
  /** It is as the code of a server has it. A change through this API takes the place of that, and stays. */
  | 'CODE'
  /** It was made or changed through this API, or by code that no server runs any more. */
  | 'STORED';

/** What to change about a tier. What is left out stays as it is; null is for what can be cleared. */
export type TierUpdateInput = {
  /** How much the answers to its callers say of cost and limits. */
  answer?: InputMaybe<AnswerDetail>;
  /** How many tokens fit in, so how many may be spent at once. Callers keep what they have spent. */
  capacity?: InputMaybe<Scalars['Int']['input']>;
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** The name that people read. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** Answers what would be different, and changes nothing. */
  dryRun?: Scalars['Boolean']['input'];
  /** `STALE_VERSION` is answered where the object has another version. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** True makes this the default tier in place of the present one. The default tier cannot be set to false. */
  isDefault?: InputMaybe<Scalars['Boolean']['input']>;
  /** The most tokens that one operation may cost; null: no ceiling. */
  maxCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** The highest field cost of one operation; null: no ceiling. */
  maxFieldCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** The most objects that one operation may return; null: no ceiling. */
  maxNodesPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** The highest type cost of one operation; null: no ceiling. */
  maxTypeCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Per month; null: none is published. */
  monthlyPrice?: InputMaybe<PriceInput>;
  /** The tier to change. */
  name: Scalars['String']['input'];
  /** How many whole tokens flow back, evenly, in each period. */
  refillAmount?: InputMaybe<Scalars['Int']['input']>;
  /** The period of the refill: 100 an hour is 100 per 3600000. */
  refillPeriodMs?: InputMaybe<Scalars['SafeInt']['input']>;
};

/** From one moment to another, which is not in it. It grows to whole buckets (UTC), of which the last is live: to minutes where it is up to three hours long, to hours up to eight days, else to days; older ranges, too, to hours and days, as minutes are kept for three days and hours for 35. */
export type TimeRangeInput = {
  /** The first moment. */
  from: Scalars['DateTime']['input'];
  /** The first moment behind the range; left out: now. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** How long the buckets of usage are. They begin at whole minutes, hours and days, in UTC. */
export type UsageBucket =
  /** For ranges up to 400 days. */
  | 'DAY'
  /** For ranges up to 31 days and an hour: the longest month of every place. */
  | 'HOUR'
  /** For ranges up to a day, also one of 25 hours. */
  | 'MINUTE';

/** Which usage; all conditions together. */
export type UsageFilter = {
  /** The prefix of an API key; of callers without a user. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** A coordinate such as `Query.search`; only by FIELD. */
  field?: InputMaybe<Scalars['String']['input']>;
  /** An address; of callers of whom nothing else is known. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** The name of operations. */
  operation?: InputMaybe<Scalars['String']['input']>;
  /** The name of a rule, or `tier:NAME`; only by RULE. */
  rule?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The name of a tier. */
  tier?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** What usage is told apart by. FIELD and RULE stand alone; the others go together. */
export type UsageGroup =
  /** The user, else the API key, else the address. */
  | 'CALLER'
  /** The fields that operations selected. An operation counts in each of its fields. */
  | 'FIELD'
  /** Type and name of the operation. */
  | 'OPERATION'
  /** The rules that applied. An operation counts in each of its rules. */
  | 'RULE'
  /** The tenant of the caller. */
  | 'TENANT'
  /** The tier that the caller was on. */
  | 'TIER';

/** What the top of a list is found by. */
export type UsageMeasure =
  /** What was charged in the end. */
  | 'ACTUAL_COST'
  /** How many were denied. */
  | 'DENIED'
  /** What was charged first. */
  | 'ESTIMATED_COST'
  /** How many operations were asked for, denied ones too. */
  | 'REQUESTS';

/** Kinds of operations, and what was none. */
export type UsageOperationType =
  /** It writes. */
  | 'MUTATION'
  /** Those that are not told apart: too many different names came in one minute. */
  | 'OTHER'
  /** It reads. */
  | 'QUERY'
  /** It listens for events. */
  | 'SUBSCRIPTION'
  /** What paid the flat fee: a syntax error, an unknown field. */
  | 'UNPRICED';

/** Why an input was not taken. */
export type UserErrorCode =
  /** What the input names exists already. */
  | 'ALREADY_EXISTS'
  /** It stands in the code of a server, where alone it can be changed. */
  | 'DEFINED_IN_CODE'
  /** A value is not what the field takes; the message says what it takes. */
  | 'INVALID'
  /** Something else needs it; the message says what. */
  | 'IN_USE'
  /** Another request was made under the same `idempotencyKey`. */
  | 'KEY_REUSED'
  /** What the input names does not exist. */
  | 'NOT_FOUND'
  /** Somebody else changed the object since the expected version. The payload carries it as it is now. */
  | 'STALE_VERSION';

/** Which violations; all conditions together. */
export type ViolationFilter = {
  /** By the API key with this prefix; of callers without a user. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** By this address; of callers of whom nothing else is known. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** Of this rule, or `tier:NAME`. */
  rule?: InputMaybe<Scalars['String']['input']>;
  /** By the users and keys of this tenant. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** By this user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** The parameters of a window that limits what a rule counts. */
export type WindowLimitInput = {
  /** How much is admitted in each window. */
  amount: Scalars['Int']['input'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: InputMaybe<Scalars['Boolean']['input']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** How long a window is, in milliseconds: a minute is 60000. */
  windowMs: Scalars['SafeInt']['input'];
};

export type CallersQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: UsageFilter;
  orderBy: UsageMeasure;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type CallersQuery = { __typename?: 'Query', topCallers: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', actualCost: number, estimatedCost: number, requests: number, denied: number, shadowDenied: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type CallerNowQueryVariables = Exact<{
  who: SubjectInput;
  mostLimits?: InputMaybe<Scalars['Int']['input']>;
}>;


export type CallerNowQuery = { __typename?: 'Query', quota?: { __typename?: 'Quota', disabled: boolean, limitCount: number, tier: { __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number }, limits: Array<{ __typename?: 'LimitQuota', rule: string, field: string, scope: Scope, limit: number, remaining: number, resetAt: string, pool: string }> } | null };

export type StoredCallerQueryVariables = Exact<{
  user?: InputMaybe<Scalars['String']['input']>;
  tenant?: InputMaybe<Scalars['String']['input']>;
}>;


export type StoredCallerQuery = { __typename?: 'Query', subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, refillAmount: number, refillPeriodMs: number, expiresAt?: string | null } | null, apiKeys: { __typename?: 'ApiKeyConnection', nodes: Array<{ __typename?: 'ApiKey', id: string, name: string, prefix: string, createdAt: string, lastUsedAt?: string | null, expiresAt?: string | null, revokedAt?: string | null }> }, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', id: string, action: ChangeAction, actor: string, changedAt: string, comment?: string | null, entity: ChangedEntity, key: string, node?:
          | { __typename?: 'AdminToken', name: string }
          | { __typename?: 'ApiKey' }
          | { __typename?: 'Change' }
          | { __typename?: 'ConsoleSession', name: string }
          | { __typename?: 'Rule', name: string }
          | { __typename?: 'Subject', caller: { __typename?: 'Caller', name?: string | null } }
          | { __typename?: 'Tier' }
         | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }> } } | null, tiers: { __typename?: 'TierConnection', nodes: Array<{ __typename?: 'Tier', name: string, displayName: string }> } };

export type ResetQuotaMutationVariables = Exact<{
  input: SubjectResetQuotaInput;
}>;


export type ResetQuotaMutation = { __typename?: 'Mutation', subjectResetQuota?: { __typename?: 'SubjectResetQuotaPayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type DisableCallerMutationVariables = Exact<{
  input: SubjectDisableInput;
}>;


export type DisableCallerMutation = { __typename?: 'Mutation', subjectDisable?: { __typename?: 'SubjectPayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type OverrideCallerMutationVariables = Exact<{
  input: SubjectSetOverrideInput;
}>;


export type OverrideCallerMutation = { __typename?: 'Mutation', subjectSetOverride?: { __typename?: 'SubjectPayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type AssignTierMutationVariables = Exact<{
  input: SubjectAssignTierInput;
}>;


export type AssignTierMutation = { __typename?: 'Mutation', subjectAssignTier?: { __typename?: 'SubjectPayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type StoreCallerMutationVariables = Exact<{
  input: SubjectCreateInput;
}>;


export type StoreCallerMutation = { __typename?: 'Mutation', subjectCreate?: { __typename?: 'SubjectPayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type MintKeyMutationVariables = Exact<{
  input: ApiKeyCreateInput;
}>;


export type MintKeyMutation = { __typename?: 'Mutation', apiKeyCreate?: { __typename?: 'ApiKeyPayload', secret?: string | null, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type RotateKeyMutationVariables = Exact<{
  input: ApiKeyRotateInput;
}>;


export type RotateKeyMutation = { __typename?: 'Mutation', apiKeyRotate?: { __typename?: 'ApiKeyPayload', secret?: string | null, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type RevokeKeyMutationVariables = Exact<{
  input: ApiKeyRevokeInput;
}>;


export type RevokeKeyMutation = { __typename?: 'Mutation', apiKeyRevoke?: { __typename?: 'ApiKeyPayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type CallerUsageQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: UsageFilter;
}>;


export type CallerUsageQuery = { __typename?: 'Query', usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, requests: number, denied: number, actualCost: number, deniedCost?: number | null }> }, topOperations: { __typename?: 'TopOperationConnection', nodes: Array<{ __typename?: 'TopOperation', requests: number, denied: number, actualCost: number, share: number, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null } }> } };

export type DenialsQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: DenialFilter;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type DenialsQuery = { __typename?: 'Query', denials: { __typename?: 'DenialConnection', nodes: Array<{ __typename?: 'Denial', at: string, code?: DenialCode | null, degraded: boolean, field?: string | null, limit?: number | null, remaining?: number | null, requestedCost: number, charge?: number | null, retryAfterMs?: number | null, ruleName: string, shadow: boolean, tier: string, variables?: unknown | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null }, document?: { __typename?: 'DeniedDocument', id: string } | null, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null } }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type ExplainQueryVariables = Exact<{
  input: CostExplainInput;
}>;


export type ExplainQuery = { __typename?: 'Query', costExplain: { __typename?: 'CostExplainPayload', explanation?: { __typename?: 'CostExplanation', cost: number, nodes: number, typeCost: number, fieldCost: number, tree?: unknown | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } };

export type DeniedDocumentQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type DeniedDocumentQuery = { __typename?: 'Query', deniedDocument?: { __typename?: 'DeniedDocument', text: string } | null };

export type PriceByTierQueryVariables = Exact<{ [key: string]: never; }>;


export type PriceByTierQuery = { __typename?: 'Query', tiers: { __typename?: 'TierConnection', nodes: Array<{ __typename?: 'Tier', name: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, retiredAt?: string | null }> } };

export type PreviewQueryVariables = Exact<{
  input: ChargePreviewInput;
}>;


export type PreviewQuery = { __typename?: 'Query', chargePreview: { __typename?: 'ChargePreviewPayload', preview?: { __typename?: 'ChargePreview', verdict: PreviewVerdict, deniedBy?: string | null, retryAfterMs?: number | null, tier: string, limits: Array<{ __typename?: 'PreviewedLimit', rule: string, scope: Scope, measure: Measure, field: string, mode: RuleMode, cost: number, limit: number, remaining: number, wouldDeny: boolean, resetAt: string }> } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } };

export type SchemaSdlQueryVariables = Exact<{ [key: string]: never; }>;


export type SchemaSdlQuery = { __typename?: 'Query', schemaSdl: string };

export type ExportPreviewQueryVariables = Exact<{
  range: TimeRangeInput;
  bucket?: InputMaybe<UsageBucket>;
  groupBy: Array<UsageGroup> | UsageGroup;
  filter: UsageFilter;
}>;


export type ExportPreviewQuery = { __typename?: 'Query', usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, tenant?: string | null, tier?: string | null, field?: string | null, rule?: string | null, requests: number, denied: number, estimatedCost: number, actualCost: number, caller?: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } | null, operation?: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean } } };

export type ServicesQueryVariables = Exact<{ [key: string]: never; }>;


export type ServicesQuery = { __typename?: 'Query', services: Array<{ __typename?: 'Service', name: string, publishedAt: string }> };

export type SchemaFieldsQueryVariables = Exact<{
  startsWith?: InputMaybe<Scalars['String']['input']>;
  service?: InputMaybe<Scalars['String']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type SchemaFieldsQuery = { __typename?: 'Query', schemaFields: { __typename?: 'SchemaFieldConnection', totalCount?: number | null, nodes: Array<{ __typename?: 'SchemaField', coordinate: string, type: string, weight?: number | null, typeWeight?: number | null, isComputed: boolean, sizeSource?: SizeSource | null, isSizeInferred: boolean, sizeArguments: Array<string>, assumedSize?: number | null, rules: Array<{ __typename?: 'Rule', name: string, mode: RuleMode, rolloutPercent: number, field: string }> }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type TopFieldsQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: UsageFilter;
  orderBy: UsageMeasure;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type TopFieldsQuery = { __typename?: 'Query', topFields: { __typename?: 'TopFieldConnection', nodes: Array<{ __typename?: 'TopField', field: string, requests: number, denied: number, estimatedCalls: number, actualCalls: number, estimatedCost: number, actualCost: number, share: number }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type PricesToMendQueryVariables = Exact<{
  range: TimeRangeInput;
  service?: InputMaybe<Scalars['String']['input']>;
}>;


export type PricesToMendQuery = { __typename?: 'Query', fieldAccuracy: Array<{ __typename?: 'FieldAccuracy', field: string, requests: number, estimatedCost: number, actualCost: number, estimatedCostPerCall?: number | null, actualCostPerCall?: number | null, assumedSize?: number | null, suggestedAssumedSize?: number | null, suggestedWeight?: number | null }>, guessedPrices: Array<{ __typename?: 'GuessedPrice', coordinate: string, message: string }> };

export type HealthQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthQuery = { __typename?: 'Query', health: { __typename?: 'Health', ok: boolean, problems: Array<string>, latestChange?: number | null, rulesetVersion?: number | null, rulesetSource?: string | null, engines: Array<{ __typename?: 'EngineHealth', pool: string, state: BreakerState, since: string, reason?: string | null, instances: number }>, database: { __typename?: 'DatabaseHealth', answeredAfterMs?: number | null, awaySince?: string | null, reason?: string | null, version?: string | null }, process: { __typename?: 'ProcessHealth', version: string, nodeVersion: string, startedAt: string } } };

export type StoredStateQueryVariables = Exact<{
  hour: TimeRangeInput;
}>;


export type StoredStateQuery = { __typename?: 'Query', services: Array<{ __typename?: 'Service', name: string, hash: string, publishedAt: string }>, usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', degraded?: number | null }> } };

export type SettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type SettingsQuery = { __typename?: 'Query', settings: Array<{ __typename?: 'Setting', name: string, value?: unknown | null, unit?: string | null }> };

export type InstancesQueryVariables = Exact<{ [key: string]: never; }>;


export type InstancesQuery = { __typename?: 'Query', instances: Array<{ __typename?: 'Instance', id: string, isAnswering: boolean, service?: string | null, version: string, host: string, pid: number, startedAt: string, lastSeenAt: string, localShare: number, state: InstanceState, problems: Array<string> }> };

export type ChangeInListFragment = { __typename?: 'Change', id: string, action: ChangeAction, actor: string, changedAt: string, comment?: string | null, entity: ChangedEntity, key: string, node?:
    | { __typename?: 'AdminToken', name: string }
    | { __typename?: 'ApiKey' }
    | { __typename?: 'Change' }
    | { __typename?: 'ConsoleSession', name: string }
    | { __typename?: 'Rule', name: string }
    | { __typename?: 'Subject', caller: { __typename?: 'Caller', name?: string | null } }
    | { __typename?: 'Tier' }
   | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null };

export type HistoryQueryVariables = Exact<{
  filter: ChangeFilter;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type HistoryQuery = { __typename?: 'Query', changes: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', id: string, action: ChangeAction, actor: string, changedAt: string, comment?: string | null, entity: ChangedEntity, key: string, node?:
        | { __typename?: 'AdminToken', name: string }
        | { __typename?: 'ApiKey' }
        | { __typename?: 'Change' }
        | { __typename?: 'ConsoleSession', name: string }
        | { __typename?: 'Rule', name: string }
        | { __typename?: 'Subject', caller: { __typename?: 'Caller', name?: string | null } }
        | { __typename?: 'Tier' }
       | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type OperationsQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: UsageFilter;
  orderBy: UsageMeasure;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type OperationsQuery = { __typename?: 'Query', topOperations: { __typename?: 'TopOperationConnection', nodes: Array<{ __typename?: 'TopOperation', requests: number, denied: number, estimatedCost: number, actualCost: number, share: number, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null }, spread?: { __typename?: 'OperationSpread', decisions: number, p50Cost: number, p95Cost: number, p95DurationMs: number } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type CallersOfOperationQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: UsageFilter;
}>;


export type CallersOfOperationQuery = { __typename?: 'Query', topCallers: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', requests: number, denied: number, actualCost: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> } };

export type OverviewQueryVariables = Exact<{
  range: TimeRangeInput;
  before: TimeRangeInput;
  bucket: UsageBucket;
}>;


export type OverviewQuery = { __typename?: 'Query', usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, to: string, requests: number, denied: number, shadowDenied?: number | null, actualCost: number, estimatedCost: number, deniedCost?: number | null, degraded?: number | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } }, usageBefore: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, to: string, requests: number, denied: number, shadowDenied?: number | null, actualCost: number, estimatedCost: number, deniedCost?: number | null, degraded?: number | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type OverviewTopQueryVariables = Exact<{
  range: TimeRangeInput;
}>;


export type OverviewTopQuery = { __typename?: 'Query', topCallers: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', actualCost: number, requests: number, denied: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> }, violations: { __typename?: 'ViolationConnection', nodes: Array<{ __typename?: 'Violation', ruleName: string, denied: number, shadowDenied: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> } };

export type MoreUsageQueryVariables = Exact<{
  range: TimeRangeInput;
  bucket: UsageBucket;
  after: Scalars['String']['input'];
}>;


export type MoreUsageQuery = { __typename?: 'Query', usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, to: string, requests: number, denied: number, shadowDenied?: number | null, actualCost: number, estimatedCost: number, deniedCost?: number | null, degraded?: number | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type UsagePageFragment = { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, to: string, requests: number, denied: number, shadowDenied?: number | null, actualCost: number, estimatedCost: number, deniedCost?: number | null, degraded?: number | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } };

export type LiveTrafficSubscriptionVariables = Exact<{
  top: Scalars['Int']['input'];
}>;


export type LiveTrafficSubscription = { __typename?: 'Subscription', liveTraffic: { __typename?: 'LiveTraffic', time: string, periodMs: number, admitted: number, throttled: number, maxCostExceeded: number, unavailable: number, degraded: number, cost: number, processes: number, hotCallers: Array<{ __typename?: 'HotCaller', decisionsPerSecond: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> } };

export type DemoTrafficQueryVariables = Exact<{ [key: string]: never; }>;


export type DemoTrafficQuery = { __typename?: 'Query', demoTraffic?: { __typename?: 'DemoTraffic', isOn: boolean } | null };

export type SetDemoTrafficMutationVariables = Exact<{
  isOn: Scalars['Boolean']['input'];
}>;


export type SetDemoTrafficMutation = { __typename?: 'Mutation', demoTrafficSet: { __typename?: 'DemoTraffic', isOn: boolean } };

export type RulesQueryVariables = Exact<{
  filter: RuleFilter;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type RulesQuery = { __typename?: 'Query', rules: { __typename?: 'RuleConnection', nodes: Array<{ __typename?: 'Rule', id: string, name: string, description?: string | null, field: string, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, source: RuleSource, service?: string | null, retiredAt?: string | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type RuleInFullQueryVariables = Exact<{
  id?: InputMaybe<Scalars['ID']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  day: TimeRangeInput;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type RuleInFullQuery = { __typename?: 'Query', rule?: { __typename?: 'Rule', shadowDenied: number, id: string, name: string, description?: string | null, version: number, field: string, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, source: RuleSource, service?: string | null, retiredAt?: string | null, violations: { __typename?: 'ViolationConnection', nodes: Array<{ __typename?: 'Violation', denied: number, shadowDenied: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> }, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', id: string, action: ChangeAction, actor: string, changedAt: string, comment?: string | null, after?: unknown | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } }, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, clients: Array<string>, operationNames: Array<string>, operationTypes: Array<OperationType>, tiers: Array<string> }, limits: Array<
      | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
    > } | null };

export type RuleToChangeQueryVariables = Exact<{
  name: Scalars['String']['input'];
}>;


export type RuleToChangeQuery = { __typename?: 'Query', rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, version: number, field: string, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, source: RuleSource, service?: string | null, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, clients: Array<string>, operationNames: Array<string>, operationTypes: Array<OperationType>, tiers: Array<string> }, limits: Array<
      | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
    > } | null };

export type RuleFactsFragment = { __typename?: 'Rule', id: string, name: string, description?: string | null, version: number, field: string, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, source: RuleSource, service?: string | null, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, clients: Array<string>, operationNames: Array<string>, operationTypes: Array<OperationType>, tiers: Array<string> }, limits: Array<
    | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
  > };

export type SimulateRuleQueryVariables = Exact<{
  input: RuleSimulateInput;
}>;


export type SimulateRuleQuery = { __typename?: 'Query', ruleSimulate: { __typename?: 'RuleSimulationPayload', simulation?: { __typename?: 'RuleSimulation', decisions: number, denied: number, newlyDenied: number, newlyAdmitted: number, delayed: number, isTruncated: boolean, leftOut: number, sampled: number, to: string, warnings: Array<string>, callers: Array<{ __typename?: 'SimulatedCaller', decisions: number, newlyDenied: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } };

export type SetRuleModeMutationVariables = Exact<{
  input: RuleSetModeInput;
}>;


export type SetRuleModeMutation = { __typename?: 'Mutation', ruleSetMode?: { __typename?: 'RulePayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type CreateRuleMutationVariables = Exact<{
  input: RuleCreateInput;
}>;


export type CreateRuleMutation = { __typename?: 'Mutation', ruleCreate?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, version: number, field: string, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, source: RuleSource, service?: string | null, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, clients: Array<string>, operationNames: Array<string>, operationTypes: Array<OperationType>, tiers: Array<string> }, limits: Array<
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
      > } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type UpdateRuleMutationVariables = Exact<{
  input: RuleUpdateInput;
}>;


export type UpdateRuleMutation = { __typename?: 'Mutation', ruleUpdate?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, version: number, field: string, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, source: RuleSource, service?: string | null, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, clients: Array<string>, operationNames: Array<string>, operationTypes: Array<OperationType>, tiers: Array<string> }, limits: Array<
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
      > } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type RetireRuleMutationVariables = Exact<{
  input: RuleRetireInput;
}>;


export type RetireRuleMutation = { __typename?: 'Mutation', ruleRetire?: { __typename?: 'RulePayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type RestoreRuleMutationVariables = Exact<{
  input: RuleRestoreInput;
}>;


export type RestoreRuleMutation = { __typename?: 'Mutation', ruleRestore?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', name: string, version: number } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type TiersQueryVariables = Exact<{
  retired: Scalars['Boolean']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type TiersQuery = { __typename?: 'Query', tiers: { __typename?: 'TierConnection', nodes: Array<{ __typename?: 'Tier', source: TierSource, retiredAt?: string | null, id: string, name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type TierInFullQueryVariables = Exact<{
  name: Scalars['String']['input'];
  day: TimeRangeInput;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type TierInFullQuery = { __typename?: 'Query', tier?: { __typename?: 'Tier', createdAt: string, updatedAt: string, id: string, name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, inCode: Array<{ __typename?: 'TierInCode', service?: string | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> }>, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', id: string, action: ChangeAction, actor: string, changedAt: string, comment?: string | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }> }, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null, usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, requests: number, denied: number, shadowDenied?: number | null, actualCost: number, deniedCost?: number | null }> }, topCallers: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', actualCost: number, requests: number, denied: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> }, subjects: { __typename?: 'SubjectConnection', totalCount?: number | null, nodes: Array<{ __typename?: 'Subject', id: string, upgradedAt?: string | null, disabledAt?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null }, override?: { __typename?: 'BucketOverride', capacity: number } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } }, rules: { __typename?: 'RuleConnection', nodes: Array<{ __typename?: 'Rule', name: string, mode: RuleMode, field: string }> } };

export type TierFactsFragment = { __typename?: 'Tier', id: string, name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null };

export type TierToChangeQueryVariables = Exact<{
  name: Scalars['String']['input'];
}>;


export type TierToChangeQuery = { __typename?: 'Query', tier?: { __typename?: 'Tier', id: string, name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null };

export type CreateTierMutationVariables = Exact<{
  input: TierCreateInput;
}>;


export type CreateTierMutation = { __typename?: 'Mutation', tierCreate?: { __typename?: 'TierPayload', warnings: Array<string>, tier?: { __typename?: 'Tier', id: string, name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type UpdateTierMutationVariables = Exact<{
  input: TierUpdateInput;
}>;


export type UpdateTierMutation = { __typename?: 'Mutation', tierUpdate?: { __typename?: 'TierPayload', warnings: Array<string>, tier?: { __typename?: 'Tier', id: string, name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type RetireTierMutationVariables = Exact<{
  input: TierRetireInput;
}>;


export type RetireTierMutation = { __typename?: 'Mutation', tierRetire?: { __typename?: 'TierPayload', userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type AdminTokensQueryVariables = Exact<{
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type AdminTokensQuery = { __typename?: 'Query', adminTokens: { __typename?: 'AdminTokenConnection', nodes: Array<{ __typename?: 'AdminToken', id: string, name: string, role: AdminRole, createdAt: string, expiresAt?: string | null, revokedAt?: string | null, replacedAt?: string | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type CreateAdminTokenMutationVariables = Exact<{
  input: AdminTokenCreateInput;
}>;


export type CreateAdminTokenMutation = { __typename?: 'Mutation', adminTokenCreate?: { __typename?: 'AdminTokenPayload', secret?: string | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } | null };

export type RotateAdminTokenMutationVariables = Exact<{
  input: AdminTokenRotateInput;
}>;


export type RotateAdminTokenMutation = { __typename?: 'Mutation', adminTokenRotate?: { __typename?: 'AdminTokenPayload', secret?: string | null, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type RevokeAdminTokenMutationVariables = Exact<{
  input: AdminTokenRevokeInput;
}>;


export type RevokeAdminTokenMutation = { __typename?: 'Mutation', adminTokenRevoke?: { __typename?: 'AdminTokenPayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type ConsoleSessionsQueryVariables = Exact<{
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type ConsoleSessionsQuery = { __typename?: 'Query', consoleSessions: { __typename?: 'ConsoleSessionConnection', nodes: Array<{ __typename?: 'ConsoleSession', id: string, name: string, role: AdminRole, openedAt: string, usedAt: string }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type EndConsoleSessionMutationVariables = Exact<{
  input: ConsoleSessionEndInput;
}>;


export type EndConsoleSessionMutation = { __typename?: 'Mutation', consoleSessionEnd?: { __typename?: 'ConsoleSessionPayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type ProblemsQueryVariables = Exact<{ [key: string]: never; }>;


export type ProblemsQuery = { __typename?: 'Query', health: { __typename?: 'Health', ok: boolean, problems: Array<string>, process: { __typename?: 'ProcessHealth', version: string } } };

export type NamedCallerFragment = { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const ChangeInListFragmentDoc = new TypedDocumentString(`
    fragment ChangeInList on Change {
  id
  action
  actor
  changedAt
  comment
  entity
  key
  node {
    ... on Rule {
      name
    }
    ... on AdminToken {
      name
    }
    ... on ConsoleSession {
      name
    }
    ... on Subject {
      caller {
        name
      }
    }
  }
  differences {
    path
    before
    after
  }
}
    `, {"fragmentName":"ChangeInList"}) as unknown as TypedDocumentString<ChangeInListFragment, unknown>;
export const UsagePageFragmentDoc = new TypedDocumentString(`
    fragment UsagePage on UsageConnection {
  nodes {
    from
    to
    requests
    denied
    shadowDenied
    actualCost
    estimatedCost
    deniedCost
    degraded
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
    `, {"fragmentName":"UsagePage"}) as unknown as TypedDocumentString<UsagePageFragment, unknown>;
export const RuleFactsFragmentDoc = new TypedDocumentString(`
    fragment RuleFacts on Rule {
  id
  name
  description
  version
  field
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  source
  service
  retiredAt
  action {
    type
    maxDelayMs
  }
  response {
    code
    message
    status
  }
  match {
    addresses
    clients
    operationNames
    operationTypes
    tiers
  }
  limits {
    __typename
    ... on TokenBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on LeakyBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on FixedWindowLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowLogLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowCounterLimit {
      amount
      windowMs
      strict
      countDenied
      key
    }
    ... on ConcurrencyLimit {
      capacity
      leaseMs
      countDenied
      key
    }
  }
}
    `, {"fragmentName":"RuleFacts"}) as unknown as TypedDocumentString<RuleFactsFragment, unknown>;
export const TierFactsFragmentDoc = new TypedDocumentString(`
    fragment TierFacts on Tier {
  id
  name
  displayName
  monthlyPrice {
    amountMinor
    currency
  }
  capacity
  refillAmount
  refillPeriodMs
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}
    `, {"fragmentName":"TierFacts"}) as unknown as TypedDocumentString<TierFactsFragment, unknown>;
export const NamedCallerFragmentDoc = new TypedDocumentString(`
    fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}
    `, {"fragmentName":"NamedCaller"}) as unknown as TypedDocumentString<NamedCallerFragment, unknown>;
export const CallersDocument = new TypedDocumentString(`
    query Callers($range: TimeRangeInput!, $filter: UsageFilter!, $orderBy: UsageMeasure!, $after: String) {
  topCallers(
    range: $range
    filter: $filter
    orderBy: $orderBy
    first: 50
    after: $after
  ) {
    nodes {
      caller {
        ...NamedCaller
      }
      actualCost
      estimatedCost
      requests
      denied
      shadowDenied
      share
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<CallersQuery, CallersQueryVariables>;
export const CallerNowDocument = new TypedDocumentString(`
    query CallerNow($who: SubjectInput!, $mostLimits: Int) {
  quota(subject: $who) {
    disabled
    tier {
      name
      displayName
      capacity
      refillAmount
      refillPeriodMs
    }
    limitCount
    limits(first: $mostLimits) {
      rule
      field
      scope
      limit
      remaining
      resetAt
      pool
    }
  }
}
    `) as unknown as TypedDocumentString<CallerNowQuery, CallerNowQueryVariables>;
export const StoredCallerDocument = new TypedDocumentString(`
    query StoredCaller($user: String, $tenant: String) {
  subject(user: $user, tenant: $tenant) {
    id
    version
    disabledAt
    tier {
      name
    }
    override {
      capacity
      refillAmount
      refillPeriodMs
      expiresAt
    }
    apiKeys(first: 50) {
      nodes {
        id
        name
        prefix
        createdAt
        lastUsedAt
        expiresAt
        revokedAt
      }
    }
    history(first: 20) {
      nodes {
        ...ChangeInList
      }
    }
  }
  tiers(first: 100) {
    nodes {
      name
      displayName
    }
  }
}
    fragment ChangeInList on Change {
  id
  action
  actor
  changedAt
  comment
  entity
  key
  node {
    ... on Rule {
      name
    }
    ... on AdminToken {
      name
    }
    ... on ConsoleSession {
      name
    }
    ... on Subject {
      caller {
        name
      }
    }
  }
  differences {
    path
    before
    after
  }
}`) as unknown as TypedDocumentString<StoredCallerQuery, StoredCallerQueryVariables>;
export const ResetQuotaDocument = new TypedDocumentString(`
    mutation ResetQuota($input: SubjectResetQuotaInput!) {
  subjectResetQuota(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ResetQuotaMutation, ResetQuotaMutationVariables>;
export const DisableCallerDocument = new TypedDocumentString(`
    mutation DisableCaller($input: SubjectDisableInput!) {
  subjectDisable(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DisableCallerMutation, DisableCallerMutationVariables>;
export const OverrideCallerDocument = new TypedDocumentString(`
    mutation OverrideCaller($input: SubjectSetOverrideInput!) {
  subjectSetOverride(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<OverrideCallerMutation, OverrideCallerMutationVariables>;
export const AssignTierDocument = new TypedDocumentString(`
    mutation AssignTier($input: SubjectAssignTierInput!) {
  subjectAssignTier(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AssignTierMutation, AssignTierMutationVariables>;
export const StoreCallerDocument = new TypedDocumentString(`
    mutation StoreCaller($input: SubjectCreateInput!) {
  subjectCreate(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<StoreCallerMutation, StoreCallerMutationVariables>;
export const MintKeyDocument = new TypedDocumentString(`
    mutation MintKey($input: ApiKeyCreateInput!) {
  apiKeyCreate(input: $input) {
    secret
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<MintKeyMutation, MintKeyMutationVariables>;
export const RotateKeyDocument = new TypedDocumentString(`
    mutation RotateKey($input: ApiKeyRotateInput!) {
  apiKeyRotate(input: $input) {
    secret
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RotateKeyMutation, RotateKeyMutationVariables>;
export const RevokeKeyDocument = new TypedDocumentString(`
    mutation RevokeKey($input: ApiKeyRevokeInput!) {
  apiKeyRevoke(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeKeyMutation, RevokeKeyMutationVariables>;
export const CallerUsageDocument = new TypedDocumentString(`
    query CallerUsage($range: TimeRangeInput!, $filter: UsageFilter!) {
  usage(range: $range, bucket: DAY, filter: $filter, first: 100) {
    nodes {
      from
      requests
      denied
      actualCost
      deniedCost
    }
  }
  topOperations(range: $range, filter: $filter, orderBy: ACTUAL_COST, first: 10) {
    nodes {
      operation {
        type
        name
      }
      requests
      denied
      actualCost
      share
    }
  }
}
    `) as unknown as TypedDocumentString<CallerUsageQuery, CallerUsageQueryVariables>;
export const DenialsDocument = new TypedDocumentString(`
    query Denials($range: TimeRangeInput!, $filter: DenialFilter!, $after: String) {
  denials(range: $range, filter: $filter, first: 50, after: $after) {
    nodes {
      at
      caller {
        ...NamedCaller
      }
      code
      degraded
      document {
        id
      }
      field
      limit
      operation {
        type
        name
      }
      remaining
      requestedCost
      charge
      retryAfterMs
      ruleName
      shadow
      tier
      variables
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<DenialsQuery, DenialsQueryVariables>;
export const ExplainDocument = new TypedDocumentString(`
    query Explain($input: CostExplainInput!) {
  costExplain(input: $input) {
    explanation {
      cost
      nodes
      typeCost
      fieldCost
      tree
    }
    userErrors {
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ExplainQuery, ExplainQueryVariables>;
export const DeniedDocumentDocument = new TypedDocumentString(`
    query DeniedDocument($id: ID!) {
  deniedDocument(id: $id) {
    text
  }
}
    `) as unknown as TypedDocumentString<DeniedDocumentQuery, DeniedDocumentQueryVariables>;
export const PriceByTierDocument = new TypedDocumentString(`
    query PriceByTier {
  tiers(first: 100) {
    nodes {
      name
      capacity
      refillAmount
      refillPeriodMs
      maxCostPerOperation
      isDefault
      retiredAt
    }
  }
}
    `) as unknown as TypedDocumentString<PriceByTierQuery, PriceByTierQueryVariables>;
export const PreviewDocument = new TypedDocumentString(`
    query Preview($input: ChargePreviewInput!) {
  chargePreview(input: $input) {
    preview {
      verdict
      deniedBy
      retryAfterMs
      tier
      limits {
        rule
        scope
        measure
        field
        mode
        cost
        limit
        remaining
        wouldDeny
        resetAt
      }
    }
    userErrors {
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<PreviewQuery, PreviewQueryVariables>;
export const SchemaSdlDocument = new TypedDocumentString(`
    query SchemaSdl {
  schemaSdl
}
    `) as unknown as TypedDocumentString<SchemaSdlQuery, SchemaSdlQueryVariables>;
export const ExportPreviewDocument = new TypedDocumentString(`
    query ExportPreview($range: TimeRangeInput!, $bucket: UsageBucket, $groupBy: [UsageGroup!]!, $filter: UsageFilter!) {
  usage(
    range: $range
    bucket: $bucket
    groupBy: $groupBy
    filter: $filter
    first: 10
  ) {
    nodes {
      from
      caller {
        ...NamedCaller
      }
      tenant
      tier
      operation {
        type
        name
      }
      field
      rule
      requests
      denied
      estimatedCost
      actualCost
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<ExportPreviewQuery, ExportPreviewQueryVariables>;
export const ServicesDocument = new TypedDocumentString(`
    query Services {
  services {
    name
    publishedAt
  }
}
    `) as unknown as TypedDocumentString<ServicesQuery, ServicesQueryVariables>;
export const SchemaFieldsDocument = new TypedDocumentString(`
    query SchemaFields($startsWith: String, $service: String, $after: String) {
  schemaFields(
    first: 50
    startsWith: $startsWith
    service: $service
    after: $after
  ) {
    totalCount
    nodes {
      coordinate
      type
      weight
      typeWeight
      isComputed
      sizeSource
      isSizeInferred
      sizeArguments
      assumedSize
      rules {
        name
        mode
        rolloutPercent
        field
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<SchemaFieldsQuery, SchemaFieldsQueryVariables>;
export const TopFieldsDocument = new TypedDocumentString(`
    query TopFields($range: TimeRangeInput!, $filter: UsageFilter!, $orderBy: UsageMeasure!, $after: String) {
  topFields(
    range: $range
    filter: $filter
    orderBy: $orderBy
    first: 50
    after: $after
  ) {
    nodes {
      field
      requests
      denied
      estimatedCalls
      actualCalls
      estimatedCost
      actualCost
      share
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<TopFieldsQuery, TopFieldsQueryVariables>;
export const PricesToMendDocument = new TypedDocumentString(`
    query PricesToMend($range: TimeRangeInput!, $service: String) {
  fieldAccuracy(range: $range, first: 50) {
    field
    requests
    estimatedCost
    actualCost
    estimatedCostPerCall
    actualCostPerCall
    assumedSize
    suggestedAssumedSize
    suggestedWeight
  }
  guessedPrices(first: 100, service: $service) {
    coordinate
    message
  }
}
    `) as unknown as TypedDocumentString<PricesToMendQuery, PricesToMendQueryVariables>;
export const HealthDocument = new TypedDocumentString(`
    query Health {
  health {
    ok
    problems
    latestChange
    rulesetVersion
    rulesetSource
    engines {
      pool
      state
      since
      reason
      instances
    }
    database {
      answeredAfterMs
      awaySince
      reason
      version
    }
    process {
      version
      nodeVersion
      startedAt
    }
  }
}
    `) as unknown as TypedDocumentString<HealthQuery, HealthQueryVariables>;
export const StoredStateDocument = new TypedDocumentString(`
    query StoredState($hour: TimeRangeInput!) {
  services {
    name
    hash
    publishedAt
  }
  usage(range: $hour, bucket: MINUTE, first: 100) {
    nodes {
      degraded
    }
  }
}
    `) as unknown as TypedDocumentString<StoredStateQuery, StoredStateQueryVariables>;
export const SettingsDocument = new TypedDocumentString(`
    query Settings {
  settings {
    name
    value
    unit
  }
}
    `) as unknown as TypedDocumentString<SettingsQuery, SettingsQueryVariables>;
export const InstancesDocument = new TypedDocumentString(`
    query Instances {
  instances {
    id
    isAnswering
    service
    version
    host
    pid
    startedAt
    lastSeenAt
    localShare
    state
    problems
  }
}
    `) as unknown as TypedDocumentString<InstancesQuery, InstancesQueryVariables>;
export const HistoryDocument = new TypedDocumentString(`
    query History($filter: ChangeFilter!, $after: String) {
  changes(filter: $filter, first: 50, after: $after) {
    nodes {
      ...ChangeInList
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment ChangeInList on Change {
  id
  action
  actor
  changedAt
  comment
  entity
  key
  node {
    ... on Rule {
      name
    }
    ... on AdminToken {
      name
    }
    ... on ConsoleSession {
      name
    }
    ... on Subject {
      caller {
        name
      }
    }
  }
  differences {
    path
    before
    after
  }
}`) as unknown as TypedDocumentString<HistoryQuery, HistoryQueryVariables>;
export const OperationsDocument = new TypedDocumentString(`
    query Operations($range: TimeRangeInput!, $filter: UsageFilter!, $orderBy: UsageMeasure!, $after: String) {
  topOperations(
    range: $range
    filter: $filter
    orderBy: $orderBy
    first: 50
    after: $after
  ) {
    nodes {
      operation {
        type
        name
      }
      requests
      denied
      estimatedCost
      actualCost
      share
      spread(range: $range) {
        decisions
        p50Cost
        p95Cost
        p95DurationMs
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<OperationsQuery, OperationsQueryVariables>;
export const CallersOfOperationDocument = new TypedDocumentString(`
    query CallersOfOperation($range: TimeRangeInput!, $filter: UsageFilter!) {
  topCallers(range: $range, filter: $filter, first: 10) {
    nodes {
      caller {
        ...NamedCaller
      }
      requests
      denied
      actualCost
      share
    }
  }
}
    fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<CallersOfOperationQuery, CallersOfOperationQueryVariables>;
export const OverviewDocument = new TypedDocumentString(`
    query Overview($range: TimeRangeInput!, $before: TimeRangeInput!, $bucket: UsageBucket!) {
  usage(range: $range, bucket: $bucket, first: 100) {
    ...UsagePage
  }
  usageBefore: usage(range: $before, bucket: $bucket, first: 100) {
    ...UsagePage
  }
}
    fragment UsagePage on UsageConnection {
  nodes {
    from
    to
    requests
    denied
    shadowDenied
    actualCost
    estimatedCost
    deniedCost
    degraded
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<OverviewQuery, OverviewQueryVariables>;
export const OverviewTopDocument = new TypedDocumentString(`
    query OverviewTop($range: TimeRangeInput!) {
  topCallers(range: $range, first: 10) {
    nodes {
      caller {
        ...NamedCaller
      }
      actualCost
      requests
      denied
      share
    }
  }
  violations(range: $range, first: 10) {
    nodes {
      caller {
        ...NamedCaller
      }
      ruleName
      denied
      shadowDenied
    }
  }
}
    fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<OverviewTopQuery, OverviewTopQueryVariables>;
export const MoreUsageDocument = new TypedDocumentString(`
    query MoreUsage($range: TimeRangeInput!, $bucket: UsageBucket!, $after: String!) {
  usage(range: $range, bucket: $bucket, first: 100, after: $after) {
    ...UsagePage
  }
}
    fragment UsagePage on UsageConnection {
  nodes {
    from
    to
    requests
    denied
    shadowDenied
    actualCost
    estimatedCost
    deniedCost
    degraded
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<MoreUsageQuery, MoreUsageQueryVariables>;
export const LiveTrafficDocument = new TypedDocumentString(`
    subscription LiveTraffic($top: Int!) {
  liveTraffic(top: $top) {
    time
    periodMs
    admitted
    throttled
    maxCostExceeded
    unavailable
    degraded
    cost
    processes
    hotCallers {
      caller {
        ...NamedCaller
      }
      decisionsPerSecond
    }
  }
}
    fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<LiveTrafficSubscription, LiveTrafficSubscriptionVariables>;
export const DemoTrafficDocument = new TypedDocumentString(`
    query DemoTraffic {
  demoTraffic {
    isOn
  }
}
    `) as unknown as TypedDocumentString<DemoTrafficQuery, DemoTrafficQueryVariables>;
export const SetDemoTrafficDocument = new TypedDocumentString(`
    mutation SetDemoTraffic($isOn: Boolean!) {
  demoTrafficSet(isOn: $isOn) {
    isOn
  }
}
    `) as unknown as TypedDocumentString<SetDemoTrafficMutation, SetDemoTrafficMutationVariables>;
export const RulesDocument = new TypedDocumentString(`
    query Rules($filter: RuleFilter!, $after: String) {
  rules(filter: $filter, first: 50, after: $after) {
    nodes {
      id
      name
      description
      field
      scope
      measure
      mode
      rolloutPercent
      priority
      source
      service
      retiredAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<RulesQuery, RulesQueryVariables>;
export const RuleInFullDocument = new TypedDocumentString(`
    query RuleInFull($id: ID, $name: String, $day: TimeRangeInput!, $after: String) {
  rule(id: $id, name: $name) {
    ...RuleFacts
    shadowDenied(range: $day)
    violations(range: $day, first: 5) {
      nodes {
        caller {
          ...NamedCaller
        }
        denied
        shadowDenied
      }
    }
    history(first: 20, after: $after) {
      nodes {
        id
        action
        actor
        changedAt
        comment
        after
        differences {
          path
          before
          after
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment RuleFacts on Rule {
  id
  name
  description
  version
  field
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  source
  service
  retiredAt
  action {
    type
    maxDelayMs
  }
  response {
    code
    message
    status
  }
  match {
    addresses
    clients
    operationNames
    operationTypes
    tiers
  }
  limits {
    __typename
    ... on TokenBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on LeakyBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on FixedWindowLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowLogLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowCounterLimit {
      amount
      windowMs
      strict
      countDenied
      key
    }
    ... on ConcurrencyLimit {
      capacity
      leaseMs
      countDenied
      key
    }
  }
}
fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<RuleInFullQuery, RuleInFullQueryVariables>;
export const RuleToChangeDocument = new TypedDocumentString(`
    query RuleToChange($name: String!) {
  rule(name: $name) {
    ...RuleFacts
  }
}
    fragment RuleFacts on Rule {
  id
  name
  description
  version
  field
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  source
  service
  retiredAt
  action {
    type
    maxDelayMs
  }
  response {
    code
    message
    status
  }
  match {
    addresses
    clients
    operationNames
    operationTypes
    tiers
  }
  limits {
    __typename
    ... on TokenBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on LeakyBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on FixedWindowLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowLogLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowCounterLimit {
      amount
      windowMs
      strict
      countDenied
      key
    }
    ... on ConcurrencyLimit {
      capacity
      leaseMs
      countDenied
      key
    }
  }
}`) as unknown as TypedDocumentString<RuleToChangeQuery, RuleToChangeQueryVariables>;
export const SimulateRuleDocument = new TypedDocumentString(`
    query SimulateRule($input: RuleSimulateInput!) {
  ruleSimulate(input: $input) {
    simulation {
      decisions
      denied
      newlyDenied
      newlyAdmitted
      delayed
      isTruncated
      leftOut
      sampled
      to
      warnings
      callers {
        caller {
          ...NamedCaller
        }
        decisions
        newlyDenied
      }
    }
    userErrors {
      field
      message
    }
  }
}
    fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<SimulateRuleQuery, SimulateRuleQueryVariables>;
export const SetRuleModeDocument = new TypedDocumentString(`
    mutation SetRuleMode($input: RuleSetModeInput!) {
  ruleSetMode(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetRuleModeMutation, SetRuleModeMutationVariables>;
export const CreateRuleDocument = new TypedDocumentString(`
    mutation CreateRule($input: RuleCreateInput!) {
  ruleCreate(input: $input) {
    rule {
      ...RuleFacts
    }
    warnings
    userErrors {
      code
      field
      message
    }
  }
}
    fragment RuleFacts on Rule {
  id
  name
  description
  version
  field
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  source
  service
  retiredAt
  action {
    type
    maxDelayMs
  }
  response {
    code
    message
    status
  }
  match {
    addresses
    clients
    operationNames
    operationTypes
    tiers
  }
  limits {
    __typename
    ... on TokenBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on LeakyBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on FixedWindowLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowLogLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowCounterLimit {
      amount
      windowMs
      strict
      countDenied
      key
    }
    ... on ConcurrencyLimit {
      capacity
      leaseMs
      countDenied
      key
    }
  }
}`) as unknown as TypedDocumentString<CreateRuleMutation, CreateRuleMutationVariables>;
export const UpdateRuleDocument = new TypedDocumentString(`
    mutation UpdateRule($input: RuleUpdateInput!) {
  ruleUpdate(input: $input) {
    rule {
      ...RuleFacts
    }
    warnings
    userErrors {
      code
      field
      message
    }
  }
}
    fragment RuleFacts on Rule {
  id
  name
  description
  version
  field
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  source
  service
  retiredAt
  action {
    type
    maxDelayMs
  }
  response {
    code
    message
    status
  }
  match {
    addresses
    clients
    operationNames
    operationTypes
    tiers
  }
  limits {
    __typename
    ... on TokenBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on LeakyBucketLimit {
      capacity
      refillAmount
      refillPeriodMs
      maxDebt
      countDenied
      key
    }
    ... on FixedWindowLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowLogLimit {
      amount
      windowMs
      countDenied
      key
    }
    ... on SlidingWindowCounterLimit {
      amount
      windowMs
      strict
      countDenied
      key
    }
    ... on ConcurrencyLimit {
      capacity
      leaseMs
      countDenied
      key
    }
  }
}`) as unknown as TypedDocumentString<UpdateRuleMutation, UpdateRuleMutationVariables>;
export const RetireRuleDocument = new TypedDocumentString(`
    mutation RetireRule($input: RuleRetireInput!) {
  ruleRetire(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RetireRuleMutation, RetireRuleMutationVariables>;
export const RestoreRuleDocument = new TypedDocumentString(`
    mutation RestoreRule($input: RuleRestoreInput!) {
  ruleRestore(input: $input) {
    rule {
      name
      version
    }
    warnings
    differences {
      path
      before
      after
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RestoreRuleMutation, RestoreRuleMutationVariables>;
export const TiersDocument = new TypedDocumentString(`
    query Tiers($retired: Boolean!, $after: String) {
  tiers(retired: $retired, first: 50, after: $after) {
    nodes {
      ...TierFacts
      source
      retiredAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment TierFacts on Tier {
  id
  name
  displayName
  monthlyPrice {
    amountMinor
    currency
  }
  capacity
  refillAmount
  refillPeriodMs
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}`) as unknown as TypedDocumentString<TiersQuery, TiersQueryVariables>;
export const TierInFullDocument = new TypedDocumentString(`
    query TierInFull($name: String!, $day: TimeRangeInput!, $after: String) {
  tier(name: $name) {
    ...TierFacts
    inCode {
      service
      differences {
        path
        before
        after
      }
    }
    createdAt
    updatedAt
    history(first: 10) {
      nodes {
        id
        action
        actor
        changedAt
        comment
        differences {
          path
          before
          after
        }
      }
    }
  }
  usage(range: $day, bucket: HOUR, filter: {tier: $name}, first: 100) {
    nodes {
      from
      requests
      denied
      shadowDenied
      actualCost
      deniedCost
    }
  }
  topCallers(range: $day, filter: {tier: $name}, first: 10) {
    nodes {
      caller {
        ...NamedCaller
      }
      actualCost
      requests
      denied
      share
    }
  }
  subjects(filter: {tier: $name}, first: 20, after: $after) {
    totalCount
    nodes {
      id
      caller {
        ...NamedCaller
      }
      upgradedAt
      disabledAt
      override {
        capacity
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
  rules(filter: {tier: $name}, first: 20) {
    nodes {
      name
      mode
      field
    }
  }
}
    fragment TierFacts on Tier {
  id
  name
  displayName
  monthlyPrice {
    amountMinor
    currency
  }
  capacity
  refillAmount
  refillPeriodMs
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}
fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<TierInFullQuery, TierInFullQueryVariables>;
export const TierToChangeDocument = new TypedDocumentString(`
    query TierToChange($name: String!) {
  tier(name: $name) {
    ...TierFacts
  }
}
    fragment TierFacts on Tier {
  id
  name
  displayName
  monthlyPrice {
    amountMinor
    currency
  }
  capacity
  refillAmount
  refillPeriodMs
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}`) as unknown as TypedDocumentString<TierToChangeQuery, TierToChangeQueryVariables>;
export const CreateTierDocument = new TypedDocumentString(`
    mutation CreateTier($input: TierCreateInput!) {
  tierCreate(input: $input) {
    tier {
      ...TierFacts
    }
    warnings
    userErrors {
      code
      field
      message
    }
  }
}
    fragment TierFacts on Tier {
  id
  name
  displayName
  monthlyPrice {
    amountMinor
    currency
  }
  capacity
  refillAmount
  refillPeriodMs
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}`) as unknown as TypedDocumentString<CreateTierMutation, CreateTierMutationVariables>;
export const UpdateTierDocument = new TypedDocumentString(`
    mutation UpdateTier($input: TierUpdateInput!) {
  tierUpdate(input: $input) {
    tier {
      ...TierFacts
    }
    warnings
    userErrors {
      code
      field
      message
    }
  }
}
    fragment TierFacts on Tier {
  id
  name
  displayName
  monthlyPrice {
    amountMinor
    currency
  }
  capacity
  refillAmount
  refillPeriodMs
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}`) as unknown as TypedDocumentString<UpdateTierMutation, UpdateTierMutationVariables>;
export const RetireTierDocument = new TypedDocumentString(`
    mutation RetireTier($input: TierRetireInput!) {
  tierRetire(input: $input) {
    userErrors {
      code
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RetireTierMutation, RetireTierMutationVariables>;
export const AdminTokensDocument = new TypedDocumentString(`
    query AdminTokens($after: String) {
  adminTokens(first: 50, after: $after) {
    nodes {
      id
      name
      role
      createdAt
      expiresAt
      revokedAt
      replacedAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AdminTokensQuery, AdminTokensQueryVariables>;
export const CreateAdminTokenDocument = new TypedDocumentString(`
    mutation CreateAdminToken($input: AdminTokenCreateInput!) {
  adminTokenCreate(input: $input) {
    secret
    userErrors {
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateAdminTokenMutation, CreateAdminTokenMutationVariables>;
export const RotateAdminTokenDocument = new TypedDocumentString(`
    mutation RotateAdminToken($input: AdminTokenRotateInput!) {
  adminTokenRotate(input: $input) {
    secret
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RotateAdminTokenMutation, RotateAdminTokenMutationVariables>;
export const RevokeAdminTokenDocument = new TypedDocumentString(`
    mutation RevokeAdminToken($input: AdminTokenRevokeInput!) {
  adminTokenRevoke(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeAdminTokenMutation, RevokeAdminTokenMutationVariables>;
export const ConsoleSessionsDocument = new TypedDocumentString(`
    query ConsoleSessions($after: String) {
  consoleSessions(first: 50, after: $after) {
    nodes {
      id
      name
      role
      openedAt
      usedAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleSessionsQuery, ConsoleSessionsQueryVariables>;
export const EndConsoleSessionDocument = new TypedDocumentString(`
    mutation EndConsoleSession($input: ConsoleSessionEndInput!) {
  consoleSessionEnd(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<EndConsoleSessionMutation, EndConsoleSessionMutationVariables>;
export const ProblemsDocument = new TypedDocumentString(`
    query Problems {
  health {
    ok
    problems
    process {
      version
    }
  }
}
    `) as unknown as TypedDocumentString<ProblemsQuery, ProblemsQueryVariables>;