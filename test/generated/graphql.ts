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

export type AssignTierMutationVariables = Exact<{
  input: SubjectAssignTierInput;
}>;


export type AssignTierMutation = { __typename?: 'Mutation', subjectAssignTier?: { __typename?: 'SubjectPayload', warnings: Array<string>, subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type SetOverrideMutationVariables = Exact<{
  input: SubjectSetOverrideInput;
}>;


export type SetOverrideMutation = { __typename?: 'Mutation', subjectSetOverride?: { __typename?: 'SubjectPayload', warnings: Array<string>, subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type DisableSubjectMutationVariables = Exact<{
  input: SubjectDisableInput;
}>;


export type DisableSubjectMutation = { __typename?: 'Mutation', subjectDisable?: { __typename?: 'SubjectPayload', subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type SubjectFieldsFragment = { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null };

export type ApiKeyCreateMutationVariables = Exact<{
  input: ApiKeyCreateInput;
}>;


export type ApiKeyCreateMutation = { __typename?: 'Mutation', apiKeyCreate?: { __typename?: 'ApiKeyPayload', secret?: string | null, warnings: Array<string>, apiKey?: { __typename?: 'ApiKey', id: string, prefix: string, expiresAt?: string | null, revokedAt?: string | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type ApiKeyRotateMutationVariables = Exact<{
  input: ApiKeyRotateInput;
}>;


export type ApiKeyRotateMutation = { __typename?: 'Mutation', apiKeyRotate?: { __typename?: 'ApiKeyPayload', secret?: string | null, warnings: Array<string>, apiKey?: { __typename?: 'ApiKey', id: string, prefix: string, expiresAt?: string | null, revokedAt?: string | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type ApiKeyRevokeMutationVariables = Exact<{
  input: ApiKeyRevokeInput;
}>;


export type ApiKeyRevokeMutation = { __typename?: 'Mutation', apiKeyRevoke?: { __typename?: 'ApiKeyPayload', secret?: string | null, warnings: Array<string>, apiKey?: { __typename?: 'ApiKey', id: string, prefix: string, expiresAt?: string | null, revokedAt?: string | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type KeyOutcomeFragment = { __typename?: 'ApiKeyPayload', secret?: string | null, warnings: Array<string>, apiKey?: { __typename?: 'ApiKey', id: string, prefix: string, expiresAt?: string | null, revokedAt?: string | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> };

export type AdminTokenCreateMutationVariables = Exact<{
  input: AdminTokenCreateInput;
}>;


export type AdminTokenCreateMutation = { __typename?: 'Mutation', adminTokenCreate?: { __typename?: 'AdminTokenPayload', secret?: string | null, adminToken?: { __typename?: 'AdminToken', id: string, name: string, role: AdminRole } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type AdminTokenRevokeMutationVariables = Exact<{
  input: AdminTokenRevokeInput;
}>;


export type AdminTokenRevokeMutation = { __typename?: 'Mutation', adminTokenRevoke?: { __typename?: 'AdminTokenPayload', adminToken?: { __typename?: 'AdminToken', revokedAt?: string | null } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode }> } | null };

export type AssignTiersMutationVariables = Exact<{
  input: SubjectAssignTiersInput;
}>;


export type AssignTiersMutation = { __typename?: 'Mutation', subjectAssignTiers?: { __typename?: 'SubjectAssignTiersPayload', assigned?: number | null, created?: number | null, unchanged?: number | null, warnings: Array<string>, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type CreateSubjectMutationVariables = Exact<{
  input: SubjectCreateInput;
}>;


export type CreateSubjectMutation = { __typename?: 'Mutation', subjectCreate?: { __typename?: 'SubjectPayload', warnings: Array<string>, subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type DeleteSubjectMutationVariables = Exact<{
  input: SubjectDeleteInput;
}>;


export type DeleteSubjectMutation = { __typename?: 'Mutation', subjectDelete?: { __typename?: 'SubjectDeletePayload', deletedId?: string | null, warnings: Array<string>, subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type AdminTokenRotateMutationVariables = Exact<{
  input: AdminTokenRotateInput;
}>;


export type AdminTokenRotateMutation = { __typename?: 'Mutation', adminTokenRotate?: { __typename?: 'AdminTokenPayload', secret?: string | null, warnings: Array<string>, adminToken?: { __typename?: 'AdminToken', id: string, name: string, role: AdminRole, expiresAt?: string | null, replacedAt?: string | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type FindNodeQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type FindNodeQuery = { __typename?: 'Query', node?:
    | { __typename: 'AdminToken', id: string }
    | { __typename: 'ApiKey', prefix: string, id: string }
    | { __typename: 'Change', action: ChangeAction, id: string }
    | { __typename: 'ConsoleSession', id: string }
    | { __typename: 'Rule', name: string, id: string }
    | { __typename: 'Subject', id: string, caller: { __typename?: 'Caller', user?: string | null } }
    | { __typename: 'Tier', displayName: string, id: string }
   | null };

export type ChangesQueryVariables = Exact<{
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ChangeFilter>;
}>;


export type ChangesQuery = { __typename?: 'Query', changes: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', id: string, number: number, entity: ChangedEntity, key: string, action: ChangeAction, actor: string, before?: unknown | null, after?: unknown | null, node?:
        | { __typename: 'AdminToken', id: string }
        | { __typename: 'ApiKey', id: string }
        | { __typename: 'Change', id: string }
        | { __typename: 'ConsoleSession', id: string }
        | { __typename: 'Rule', id: string }
        | { __typename: 'Subject', id: string }
        | { __typename: 'Tier', id: string }
       | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type PreviewQueryVariables = Exact<{
  input: ChargePreviewInput;
}>;


export type PreviewQuery = { __typename?: 'Query', chargePreview: { __typename?: 'ChargePreviewPayload', preview?: { __typename?: 'ChargePreview', verdict: PreviewVerdict, requestedCost: number, tier: string, maxCostPerOperation?: number | null, deniedBy?: string | null, retryAfterMs?: number | null, disabled: boolean, limits: Array<{ __typename?: 'PreviewedLimit', rule: string, scope: Scope, field: string, measure: Measure, mode: RuleMode, cost: number, limit: number, remaining: number, wouldDeny: boolean }> } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } };

export type ExplainQueryVariables = Exact<{
  input: CostExplainInput;
}>;


export type ExplainQuery = { __typename?: 'Query', costExplain: { __typename?: 'CostExplainPayload', explanation?: { __typename?: 'CostExplanation', cost: number, typeCost: number, fieldCost: number, tree?: unknown | null, fields: Array<{ __typename?: 'FieldCost', coordinate: string, calls: number, cost: number }> } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } };

export type HealthQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthQuery = { __typename?: 'Query', health: { __typename?: 'Health', ok: boolean, latestChange?: number | null, rulesetVersion?: number | null, problems: Array<string> } };

export type PolicySyncMutationVariables = Exact<{
  input: PolicySyncInput;
}>;


export type PolicySyncMutation = { __typename?: 'Mutation', policySync?: { __typename?: 'PolicySyncPayload', applied: boolean, version?: number | null, plan?: { __typename?: 'PolicyPlan', text: string, unchanged: number, steps: Array<{ __typename?: 'PolicyStep', action: PolicyAction, kind: PolicyStepKind, name: string, warnings: Array<string>, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> }> } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type TotalsQueryVariables = Exact<{
  first?: InputMaybe<Scalars['Int']['input']>;
  tenant?: InputMaybe<Scalars['String']['input']>;
}>;


export type TotalsQuery = { __typename?: 'Query', tiers: { __typename?: 'TierConnection', totalCount?: number | null }, rules: { __typename?: 'RuleConnection', totalCount?: number | null }, subjects: { __typename?: 'SubjectConnection', totalCount?: number | null, nodes: Array<{ __typename?: 'Subject', history: { __typename?: 'ChangeConnection', totalCount?: number | null } }> }, changes: { __typename?: 'ChangeConnection', totalCount?: number | null }, adminTokens: { __typename?: 'AdminTokenConnection', totalCount?: number | null }, denials: { __typename?: 'DenialConnection', totalCount?: number | null }, schemaFields: { __typename?: 'SchemaFieldConnection', totalCount?: number | null } };

export type SchemaFieldsQueryVariables = Exact<{
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  startsWith?: InputMaybe<Scalars['String']['input']>;
}>;


export type SchemaFieldsQuery = { __typename?: 'Query', schemaFields: { __typename?: 'SchemaFieldConnection', nodes: Array<{ __typename?: 'SchemaField', coordinate: string, type: string, weight?: number | null, typeWeight?: number | null, isComputed: boolean, sizeSource?: SizeSource | null, isSizeInferred: boolean, sizeArguments: Array<string>, assumedSize?: number | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type FieldsWithRulesQueryVariables = Exact<{
  first?: InputMaybe<Scalars['Int']['input']>;
  startsWith?: InputMaybe<Scalars['String']['input']>;
}>;


export type FieldsWithRulesQuery = { __typename?: 'Query', schemaFields: { __typename?: 'SchemaFieldConnection', nodes: Array<{ __typename?: 'SchemaField', coordinate: string, rules: Array<{ __typename?: 'Rule', name: string }> }> } };

export type HealthInFullQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthInFullQuery = { __typename?: 'Query', health: { __typename?: 'Health', ok: boolean, rulesetSource?: string | null, engines: Array<{ __typename?: 'EngineHealth', pool: string, state: BreakerState, since: string, reason?: string | null, instances: number }>, database: { __typename?: 'DatabaseHealth', answeredAfterMs?: number | null, awaySince?: string | null, reason?: string | null, version?: string | null }, process: { __typename?: 'ProcessHealth', version: string, nodeVersion: string, startedAt: string } } };

export type SchemaSdlQueryVariables = Exact<{
  service?: InputMaybe<Scalars['String']['input']>;
}>;


export type SchemaSdlQuery = { __typename?: 'Query', schemaSdl: string };

export type QuotaOfQueryVariables = Exact<{
  subject: SubjectInput;
}>;


export type QuotaOfQuery = { __typename?: 'Query', quota?: { __typename?: 'Quota', disabled: boolean, tier: { __typename?: 'Tier', name: string, capacity: number }, limits: Array<{ __typename?: 'LimitQuota', rule: string, scope: Scope, field: string, limit: number, used: number, remaining: number, resetAt: string, retryAfterMs: number }> } | null };

export type ResetQuotaMutationVariables = Exact<{
  input: SubjectResetQuotaInput;
}>;


export type ResetQuotaMutation = { __typename?: 'Mutation', subjectResetQuota?: { __typename?: 'SubjectResetQuotaPayload', warnings: Array<string>, quota?: { __typename?: 'Quota', limits: Array<{ __typename?: 'LimitQuota', rule: string, scope: Scope, limit: number, used: number, remaining: number }> } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type FewestLeftQueryVariables = Exact<{
  subject: SubjectInput;
  first?: InputMaybe<Scalars['Int']['input']>;
}>;


export type FewestLeftQuery = { __typename?: 'Query', quota?: { __typename?: 'Quota', limitCount: number, limits: Array<{ __typename?: 'LimitQuota', rule: string, remaining: number }> } | null };

export type RulesWithHistoryQueryVariables = Exact<{
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RuleFilter>;
}>;


export type RulesWithHistoryQuery = { __typename?: 'Query', rules: { __typename?: 'RuleConnection', edges: Array<{ __typename?: 'RuleEdge', cursor: string, node: { __typename?: 'Rule', id: string, name: string, version: number, match: { __typename?: 'RuleMatch', tiers: Array<string> }, limits: Array<
          | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number }
          | { __typename: 'FixedWindowLimit', amount: number, windowMs: number }
          | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
          | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null }
          | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number }
          | { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
        >, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', number: number, action: ChangeAction, actor: string, comment?: string | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } } }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, hasPreviousPage: boolean, endCursor?: string | null } } };

export type SubjectsInDepthQueryVariables = Exact<{
  first?: InputMaybe<Scalars['Int']['input']>;
}>;


export type SubjectsInDepthQuery = { __typename?: 'Query', subjects: { __typename?: 'SubjectConnection', nodes: Array<{ __typename?: 'Subject', caller: { __typename?: 'Caller', user?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, quotaNow: { __typename?: 'Quota', tier: { __typename?: 'Tier', name: string }, limits: Array<{ __typename?: 'LimitQuota', remaining: number }> }, apiKeys: { __typename?: 'ApiKeyConnection', nodes: Array<{ __typename?: 'ApiKey', prefix: string, holder?: { __typename?: 'Subject', caller: { __typename?: 'Caller', user?: string | null } } | null, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', action: ChangeAction }> } }> }, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', action: ChangeAction }> } }> } };

export type RuleCreateMutationVariables = Exact<{
  input: RuleCreateInput;
}>;


export type RuleCreateMutation = { __typename?: 'Mutation', ruleCreate?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, mode: RuleMode, priority: number, version: number, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, limits: Array<
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number }
        | { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
      > } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type RuleUpdateMutationVariables = Exact<{
  input: RuleUpdateInput;
}>;


export type RuleUpdateMutation = { __typename?: 'Mutation', ruleUpdate?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, mode: RuleMode, priority: number, version: number, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, limits: Array<
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number }
        | { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
      > } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type RuleSetModeMutationVariables = Exact<{
  input: RuleSetModeInput;
}>;


export type RuleSetModeMutation = { __typename?: 'Mutation', ruleSetMode?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, mode: RuleMode, priority: number, version: number, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, limits: Array<
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number }
        | { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
      > } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type RuleRetireMutationVariables = Exact<{
  input: RuleRetireInput;
}>;


export type RuleRetireMutation = { __typename?: 'Mutation', ruleRetire?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, mode: RuleMode, priority: number, version: number, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, limits: Array<
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number }
        | { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
      > } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type RuleRestoreMutationVariables = Exact<{
  input: RuleRestoreInput;
}>;


export type RuleRestoreMutation = { __typename?: 'Mutation', ruleRestore?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, mode: RuleMode, priority: number, version: number, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, limits: Array<
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number }
        | { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
      > } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type RuleOutcomeFragment = { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, mode: RuleMode, priority: number, version: number, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, limits: Array<
      | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number }
      | { __typename: 'FixedWindowLimit', amount: number, windowMs: number }
      | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
      | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null }
      | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number }
      | { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
    > } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> };

type LimitFields_ConcurrencyLimit_Fragment = { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number };

type LimitFields_FixedWindowLimit_Fragment = { __typename: 'FixedWindowLimit', amount: number, windowMs: number };

type LimitFields_LeakyBucketLimit_Fragment = { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null };

type LimitFields_SlidingWindowCounterLimit_Fragment = { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null };

type LimitFields_SlidingWindowLogLimit_Fragment = { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number };

type LimitFields_TokenBucketLimit_Fragment = { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null };

export type LimitFieldsFragment =
  | LimitFields_ConcurrencyLimit_Fragment
  | LimitFields_FixedWindowLimit_Fragment
  | LimitFields_LeakyBucketLimit_Fragment
  | LimitFields_SlidingWindowCounterLimit_Fragment
  | LimitFields_SlidingWindowLogLimit_Fragment
  | LimitFields_TokenBucketLimit_Fragment
;

export type TiersQueryVariables = Exact<{ [key: string]: never; }>;


export type TiersQuery = { __typename?: 'Query', tiers: { __typename?: 'TierConnection', nodes: Array<{ __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null }> } };

export type TierByNameQueryVariables = Exact<{
  name: Scalars['String']['input'];
}>;


export type TierByNameQuery = { __typename?: 'Query', tier?: { __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null };

export type TierCreateMutationVariables = Exact<{
  input: TierCreateInput;
}>;


export type TierCreateMutation = { __typename?: 'Mutation', tierCreate?: { __typename?: 'TierPayload', tier?: { __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type TierUpdateMutationVariables = Exact<{
  input: TierUpdateInput;
}>;


export type TierUpdateMutation = { __typename?: 'Mutation', tierUpdate?: { __typename?: 'TierPayload', tier?: { __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type TierFieldsFragment = { __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null };

export type UsageQueryVariables = Exact<{
  range?: InputMaybe<TimeRangeInput>;
  bucket?: InputMaybe<UsageBucket>;
  groupBy?: InputMaybe<Array<UsageGroup> | UsageGroup>;
  filter?: InputMaybe<UsageFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type UsageQuery = { __typename?: 'Query', usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, to: string, tenant?: string | null, tier?: string | null, field?: string | null, rule?: string | null, requests: number, denied: number, shadowDenied?: number | null, estimatedCost: number, actualCost: number, deniedCost?: number | null, estimatedCalls?: number | null, actualCalls?: number | null, caller?: { __typename?: 'Caller', kind: CallerKind, name?: string | null, tenant?: string | null } | null, operation?: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type TopsQueryVariables = Exact<{
  range?: InputMaybe<TimeRangeInput>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<UsageMeasure>;
}>;


export type TopsQuery = { __typename?: 'Query', topCallers: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', requests: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, tenant?: string | null } }> }, topTenants: { __typename?: 'TopTenantConnection', nodes: Array<{ __typename?: 'TopTenant', tenant?: string | null, requests: number }> }, topOperations: { __typename?: 'TopOperationConnection', nodes: Array<{ __typename?: 'TopOperation', requests: number, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null } }> }, topFields: { __typename?: 'TopFieldConnection', nodes: Array<{ __typename?: 'TopField', field: string, requests: number, actualCost: number }> } };

export type TopPageQueryVariables = Exact<{
  range?: InputMaybe<TimeRangeInput>;
  first?: InputMaybe<Scalars['Int']['input']>;
  callers?: InputMaybe<Scalars['String']['input']>;
  tenants?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<UsageMeasure>;
}>;


export type TopPageQuery = { __typename?: 'Query', topCallers: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', requests: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, tenant?: string | null } }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } }, topTenants: { __typename?: 'TopTenantConnection', nodes: Array<{ __typename?: 'TopTenant', tenant?: string | null, requests: number, share: number }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type DenialsQueryVariables = Exact<{
  range?: InputMaybe<TimeRangeInput>;
  filter?: InputMaybe<DenialFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type DenialsQuery = { __typename?: 'Query', denials: { __typename?: 'DenialConnection', nodes: Array<{ __typename?: 'Denial', at: string, ruleName: string, shadow: boolean, code?: DenialCode | null, tier: string, variables?: unknown | null, requestedCost: number, scope?: Scope | null, field?: string | null, charge?: number | null, limit?: number | null, used?: number | null, remaining?: number | null, retryAfterMs?: number | null, rule?: { __typename?: 'Rule', name: string, version: number } | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null, subject?: { __typename?: 'Subject', id: string } | null }, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null }, document?: { __typename?: 'DeniedDocument', id: string, text: string } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type DeniedDocumentQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type DeniedDocumentQuery = { __typename?: 'Query', deniedDocument?: { __typename?: 'DeniedDocument', id: string, text: string } | null };

export type ViolationsQueryVariables = Exact<{
  range?: InputMaybe<TimeRangeInput>;
  filter?: InputMaybe<ViolationFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type ViolationsQuery = { __typename?: 'Query', violations: { __typename?: 'ViolationConnection', nodes: Array<{ __typename?: 'Violation', ruleName: string, denied: number, shadowDenied: number, deniedCost: number, share: number, rule?: { __typename?: 'Rule', name: string } | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, tenant?: string | null } }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type AccuracyQueryVariables = Exact<{
  range?: InputMaybe<TimeRangeInput>;
  first?: InputMaybe<Scalars['Int']['input']>;
}>;


export type AccuracyQuery = { __typename?: 'Query', operationAccuracy: Array<{ __typename?: 'OperationAccuracy', requests: number, estimatedCost: number, actualCost: number, ratio: number, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null } }>, fieldAccuracy: Array<{ __typename?: 'FieldAccuracy', field: string, estimatedCostPerCall?: number | null, actualCostPerCall?: number | null, assumedSize?: number | null, suggestedAssumedSize?: number | null, suggestedWeight?: number | null }> };

export type SubjectsWithUsageQueryVariables = Exact<{
  range?: InputMaybe<TimeRangeInput>;
  bucket?: InputMaybe<UsageBucket>;
  first?: InputMaybe<Scalars['Int']['input']>;
  usages?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type SubjectsWithUsageQuery = { __typename?: 'Query', subjects: { __typename?: 'SubjectConnection', nodes: Array<{ __typename?: 'Subject', caller: { __typename?: 'Caller', user?: string | null, tenant?: string | null }, usage: { __typename?: 'SubjectUsageConnection', nodes: Array<{ __typename?: 'SubjectUsage', from: string, to: string, requests: number, actualCost: number }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } }> } };

export type SimulateRuleQueryVariables = Exact<{
  input: RuleSimulateInput;
}>;


export type SimulateRuleQuery = { __typename?: 'Query', ruleSimulate: { __typename?: 'RuleSimulationPayload', simulation?: { __typename?: 'RuleSimulation', from: string, to: string, isTruncated: boolean, decisions: number, cost: number, denied: number, deniedCost: number, newlyDenied: number, newlyDeniedCost: number, recordedDenied: number, deniedBefore: number, deniedAfter: number, newlyAdmitted: number, delayed: number, sampled: number, callers: Array<{ __typename?: 'SimulatedCaller', decisions: number, denied: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, tenant?: string | null } }>, operations: Array<{ __typename?: 'SimulatedOperation', type: OperationType, name?: string | null, decisions: number, denied: number, deniedCost: number }> } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } };

export type RulesWithEffectQueryVariables = Exact<{
  range?: InputMaybe<TimeRangeInput>;
  first?: InputMaybe<Scalars['Int']['input']>;
  page?: InputMaybe<Scalars['Int']['input']>;
  denials?: InputMaybe<Scalars['String']['input']>;
  violations?: InputMaybe<Scalars['String']['input']>;
}>;


export type RulesWithEffectQuery = { __typename?: 'Query', rules: { __typename?: 'RuleConnection', nodes: Array<{ __typename?: 'Rule', name: string, shadowDenied: number, usage: { __typename?: 'RuleUsageConnection', nodes: Array<{ __typename?: 'RuleUsage', from: string, requests: number, denied: number, shadowDenied: number }> }, violations: { __typename?: 'ViolationConnection', nodes: Array<{ __typename?: 'Violation', ruleName: string, denied: number, shadowDenied: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, tenant?: string | null } }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } }, denials: { __typename?: 'DenialConnection', nodes: Array<{ __typename?: 'Denial', at: string, ruleName: string, shadow: boolean }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } }> } };

export type OperationSpreadsQueryVariables = Exact<{
  range?: InputMaybe<TimeRangeInput>;
  first?: InputMaybe<Scalars['Int']['input']>;
}>;


export type OperationSpreadsQuery = { __typename?: 'Query', topOperations: { __typename?: 'TopOperationConnection', nodes: Array<{ __typename?: 'TopOperation', operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null }, spread?: { __typename?: 'OperationSpread', decisions: number, p50Cost: number, p95Cost: number, p50DurationMs: number, p95DurationMs: number } | null }> } };

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
export const SubjectFieldsFragmentDoc = new TypedDocumentString(`
    fragment SubjectFields on Subject {
  id
  caller {
    kind
    name
    user
    tenant
  }
  version
  disabledAt
  tier {
    name
  }
  override {
    capacity
    expiresAt
  }
}
    `, {"fragmentName":"SubjectFields"}) as unknown as TypedDocumentString<SubjectFieldsFragment, unknown>;
export const KeyOutcomeFragmentDoc = new TypedDocumentString(`
    fragment KeyOutcome on ApiKeyPayload {
  apiKey {
    id
    prefix
    expiresAt
    revokedAt
  }
  secret
  warnings
  userErrors {
    field
    code
  }
}
    `, {"fragmentName":"KeyOutcome"}) as unknown as TypedDocumentString<KeyOutcomeFragment, unknown>;
export const LimitFieldsFragmentDoc = new TypedDocumentString(`
    fragment LimitFields on RuleLimit {
  __typename
  ... on TokenBucketLimit {
    key
    countDenied
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on LeakyBucketLimit {
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on FixedWindowLimit {
    amount
    windowMs
  }
  ... on SlidingWindowCounterLimit {
    amount
    windowMs
    strict
  }
  ... on SlidingWindowLogLimit {
    amount
    windowMs
  }
  ... on ConcurrencyLimit {
    capacity
    leaseMs
  }
}
    `, {"fragmentName":"LimitFields"}) as unknown as TypedDocumentString<LimitFieldsFragment, unknown>;
export const RuleOutcomeFragmentDoc = new TypedDocumentString(`
    fragment RuleOutcome on RulePayload {
  rule {
    id
    name
    description
    mode
    priority
    version
    retiredAt
    action {
      type
      maxDelayMs
    }
    limits {
      ...LimitFields
    }
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    field
    code
    message
  }
}
    fragment LimitFields on RuleLimit {
  __typename
  ... on TokenBucketLimit {
    key
    countDenied
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on LeakyBucketLimit {
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on FixedWindowLimit {
    amount
    windowMs
  }
  ... on SlidingWindowCounterLimit {
    amount
    windowMs
    strict
  }
  ... on SlidingWindowLogLimit {
    amount
    windowMs
  }
  ... on ConcurrencyLimit {
    capacity
    leaseMs
  }
}`, {"fragmentName":"RuleOutcome"}) as unknown as TypedDocumentString<RuleOutcomeFragment, unknown>;
export const TierFieldsFragmentDoc = new TypedDocumentString(`
    fragment TierFields on Tier {
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
  isDefault
  version
  createdAt
  updatedAt
  retiredAt
}
    `, {"fragmentName":"TierFields"}) as unknown as TypedDocumentString<TierFieldsFragment, unknown>;
export const AssignTierDocument = new TypedDocumentString(`
    mutation AssignTier($input: SubjectAssignTierInput!) {
  subjectAssignTier(input: $input) {
    subject {
      ...SubjectFields
    }
    warnings
    userErrors {
      field
      code
    }
  }
}
    fragment SubjectFields on Subject {
  id
  caller {
    kind
    name
    user
    tenant
  }
  version
  disabledAt
  tier {
    name
  }
  override {
    capacity
    expiresAt
  }
}`) as unknown as TypedDocumentString<AssignTierMutation, AssignTierMutationVariables>;
export const SetOverrideDocument = new TypedDocumentString(`
    mutation SetOverride($input: SubjectSetOverrideInput!) {
  subjectSetOverride(input: $input) {
    subject {
      ...SubjectFields
    }
    warnings
    userErrors {
      field
      code
    }
  }
}
    fragment SubjectFields on Subject {
  id
  caller {
    kind
    name
    user
    tenant
  }
  version
  disabledAt
  tier {
    name
  }
  override {
    capacity
    expiresAt
  }
}`) as unknown as TypedDocumentString<SetOverrideMutation, SetOverrideMutationVariables>;
export const DisableSubjectDocument = new TypedDocumentString(`
    mutation DisableSubject($input: SubjectDisableInput!) {
  subjectDisable(input: $input) {
    subject {
      ...SubjectFields
    }
    userErrors {
      field
      code
    }
  }
}
    fragment SubjectFields on Subject {
  id
  caller {
    kind
    name
    user
    tenant
  }
  version
  disabledAt
  tier {
    name
  }
  override {
    capacity
    expiresAt
  }
}`) as unknown as TypedDocumentString<DisableSubjectMutation, DisableSubjectMutationVariables>;
export const ApiKeyCreateDocument = new TypedDocumentString(`
    mutation ApiKeyCreate($input: ApiKeyCreateInput!) {
  apiKeyCreate(input: $input) {
    ...KeyOutcome
  }
}
    fragment KeyOutcome on ApiKeyPayload {
  apiKey {
    id
    prefix
    expiresAt
    revokedAt
  }
  secret
  warnings
  userErrors {
    field
    code
  }
}`) as unknown as TypedDocumentString<ApiKeyCreateMutation, ApiKeyCreateMutationVariables>;
export const ApiKeyRotateDocument = new TypedDocumentString(`
    mutation ApiKeyRotate($input: ApiKeyRotateInput!) {
  apiKeyRotate(input: $input) {
    ...KeyOutcome
  }
}
    fragment KeyOutcome on ApiKeyPayload {
  apiKey {
    id
    prefix
    expiresAt
    revokedAt
  }
  secret
  warnings
  userErrors {
    field
    code
  }
}`) as unknown as TypedDocumentString<ApiKeyRotateMutation, ApiKeyRotateMutationVariables>;
export const ApiKeyRevokeDocument = new TypedDocumentString(`
    mutation ApiKeyRevoke($input: ApiKeyRevokeInput!) {
  apiKeyRevoke(input: $input) {
    ...KeyOutcome
  }
}
    fragment KeyOutcome on ApiKeyPayload {
  apiKey {
    id
    prefix
    expiresAt
    revokedAt
  }
  secret
  warnings
  userErrors {
    field
    code
  }
}`) as unknown as TypedDocumentString<ApiKeyRevokeMutation, ApiKeyRevokeMutationVariables>;
export const AdminTokenCreateDocument = new TypedDocumentString(`
    mutation AdminTokenCreate($input: AdminTokenCreateInput!) {
  adminTokenCreate(input: $input) {
    adminToken {
      id
      name
      role
    }
    secret
    userErrors {
      field
      code
    }
  }
}
    `) as unknown as TypedDocumentString<AdminTokenCreateMutation, AdminTokenCreateMutationVariables>;
export const AdminTokenRevokeDocument = new TypedDocumentString(`
    mutation AdminTokenRevoke($input: AdminTokenRevokeInput!) {
  adminTokenRevoke(input: $input) {
    adminToken {
      revokedAt
    }
    userErrors {
      code
    }
  }
}
    `) as unknown as TypedDocumentString<AdminTokenRevokeMutation, AdminTokenRevokeMutationVariables>;
export const AssignTiersDocument = new TypedDocumentString(`
    mutation AssignTiers($input: SubjectAssignTiersInput!) {
  subjectAssignTiers(input: $input) {
    assigned
    created
    unchanged
    differences {
      path
      before
      after
    }
    warnings
    userErrors {
      field
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AssignTiersMutation, AssignTiersMutationVariables>;
export const CreateSubjectDocument = new TypedDocumentString(`
    mutation CreateSubject($input: SubjectCreateInput!) {
  subjectCreate(input: $input) {
    subject {
      ...SubjectFields
    }
    warnings
    userErrors {
      field
      code
    }
  }
}
    fragment SubjectFields on Subject {
  id
  caller {
    kind
    name
    user
    tenant
  }
  version
  disabledAt
  tier {
    name
  }
  override {
    capacity
    expiresAt
  }
}`) as unknown as TypedDocumentString<CreateSubjectMutation, CreateSubjectMutationVariables>;
export const DeleteSubjectDocument = new TypedDocumentString(`
    mutation DeleteSubject($input: SubjectDeleteInput!) {
  subjectDelete(input: $input) {
    deletedId
    subject {
      ...SubjectFields
    }
    warnings
    userErrors {
      field
      code
      message
    }
  }
}
    fragment SubjectFields on Subject {
  id
  caller {
    kind
    name
    user
    tenant
  }
  version
  disabledAt
  tier {
    name
  }
  override {
    capacity
    expiresAt
  }
}`) as unknown as TypedDocumentString<DeleteSubjectMutation, DeleteSubjectMutationVariables>;
export const AdminTokenRotateDocument = new TypedDocumentString(`
    mutation AdminTokenRotate($input: AdminTokenRotateInput!) {
  adminTokenRotate(input: $input) {
    adminToken {
      id
      name
      role
      expiresAt
      replacedAt
    }
    secret
    warnings
    userErrors {
      field
      code
    }
  }
}
    `) as unknown as TypedDocumentString<AdminTokenRotateMutation, AdminTokenRotateMutationVariables>;
export const FindNodeDocument = new TypedDocumentString(`
    query FindNode($id: ID!) {
  node(id: $id) {
    __typename
    id
    ... on Rule {
      name
    }
    ... on Tier {
      displayName
    }
    ... on Subject {
      caller {
        user
      }
    }
    ... on ApiKey {
      prefix
    }
    ... on Change {
      action
    }
  }
}
    `) as unknown as TypedDocumentString<FindNodeQuery, FindNodeQueryVariables>;
export const ChangesDocument = new TypedDocumentString(`
    query Changes($first: Int, $after: String, $filter: ChangeFilter) {
  changes(first: $first, after: $after, filter: $filter) {
    nodes {
      id
      number
      entity
      key
      action
      actor
      before
      after
      node {
        __typename
        id
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ChangesQuery, ChangesQueryVariables>;
export const PreviewDocument = new TypedDocumentString(`
    query Preview($input: ChargePreviewInput!) {
  chargePreview(input: $input) {
    preview {
      verdict
      requestedCost
      tier
      maxCostPerOperation
      deniedBy
      retryAfterMs
      disabled
      limits {
        rule
        scope
        field
        measure
        mode
        cost
        limit
        remaining
        wouldDeny
      }
    }
    userErrors {
      code
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<PreviewQuery, PreviewQueryVariables>;
export const ExplainDocument = new TypedDocumentString(`
    query Explain($input: CostExplainInput!) {
  costExplain(input: $input) {
    explanation {
      cost
      typeCost
      fieldCost
      fields {
        coordinate
        calls
        cost
      }
      tree
    }
    userErrors {
      code
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ExplainQuery, ExplainQueryVariables>;
export const HealthDocument = new TypedDocumentString(`
    query Health {
  health {
    ok
    latestChange
    rulesetVersion
    problems
  }
}
    `) as unknown as TypedDocumentString<HealthQuery, HealthQueryVariables>;
export const PolicySyncDocument = new TypedDocumentString(`
    mutation PolicySync($input: PolicySyncInput!) {
  policySync(input: $input) {
    applied
    version
    plan {
      text
      unchanged
      steps {
        action
        kind
        name
        differences {
          path
          before
          after
        }
        warnings
      }
    }
    userErrors {
      field
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<PolicySyncMutation, PolicySyncMutationVariables>;
export const TotalsDocument = new TypedDocumentString(`
    query Totals($first: Int, $tenant: String) {
  tiers(first: $first) {
    totalCount
  }
  rules(first: $first) {
    totalCount
  }
  subjects(first: $first, filter: {tenant: $tenant}) {
    totalCount
    nodes {
      history {
        totalCount
      }
    }
  }
  changes(first: $first) {
    totalCount
  }
  adminTokens(first: $first) {
    totalCount
  }
  denials(first: $first) {
    totalCount
  }
  schemaFields(first: $first) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<TotalsQuery, TotalsQueryVariables>;
export const SchemaFieldsDocument = new TypedDocumentString(`
    query SchemaFields($first: Int, $after: String, $startsWith: String) {
  schemaFields(first: $first, after: $after, startsWith: $startsWith) {
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
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<SchemaFieldsQuery, SchemaFieldsQueryVariables>;
export const FieldsWithRulesDocument = new TypedDocumentString(`
    query FieldsWithRules($first: Int, $startsWith: String) {
  schemaFields(first: $first, startsWith: $startsWith) {
    nodes {
      coordinate
      rules {
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FieldsWithRulesQuery, FieldsWithRulesQueryVariables>;
export const HealthInFullDocument = new TypedDocumentString(`
    query HealthInFull {
  health {
    ok
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
    `) as unknown as TypedDocumentString<HealthInFullQuery, HealthInFullQueryVariables>;
export const SchemaSdlDocument = new TypedDocumentString(`
    query SchemaSdl($service: String) {
  schemaSdl(service: $service)
}
    `) as unknown as TypedDocumentString<SchemaSdlQuery, SchemaSdlQueryVariables>;
export const QuotaOfDocument = new TypedDocumentString(`
    query QuotaOf($subject: SubjectInput!) {
  quota(subject: $subject) {
    disabled
    tier {
      name
      capacity
    }
    limits {
      rule
      scope
      field
      limit
      used
      remaining
      resetAt
      retryAfterMs
    }
  }
}
    `) as unknown as TypedDocumentString<QuotaOfQuery, QuotaOfQueryVariables>;
export const ResetQuotaDocument = new TypedDocumentString(`
    mutation ResetQuota($input: SubjectResetQuotaInput!) {
  subjectResetQuota(input: $input) {
    quota {
      limits {
        rule
        scope
        limit
        used
        remaining
      }
    }
    differences {
      path
      before
      after
    }
    warnings
    userErrors {
      field
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ResetQuotaMutation, ResetQuotaMutationVariables>;
export const FewestLeftDocument = new TypedDocumentString(`
    query FewestLeft($subject: SubjectInput!, $first: Int) {
  quota(subject: $subject) {
    limitCount
    limits(first: $first) {
      rule
      remaining
    }
  }
}
    `) as unknown as TypedDocumentString<FewestLeftQuery, FewestLeftQueryVariables>;
export const RulesWithHistoryDocument = new TypedDocumentString(`
    query RulesWithHistory($first: Int, $after: String, $filter: RuleFilter) {
  rules(first: $first, after: $after, filter: $filter) {
    edges {
      cursor
      node {
        id
        name
        version
        match {
          tiers
        }
        limits {
          ...LimitFields
        }
        history(first: 2) {
          nodes {
            number
            action
            actor
            comment
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
    pageInfo {
      hasNextPage
      hasPreviousPage
      endCursor
    }
  }
}
    fragment LimitFields on RuleLimit {
  __typename
  ... on TokenBucketLimit {
    key
    countDenied
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on LeakyBucketLimit {
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on FixedWindowLimit {
    amount
    windowMs
  }
  ... on SlidingWindowCounterLimit {
    amount
    windowMs
    strict
  }
  ... on SlidingWindowLogLimit {
    amount
    windowMs
  }
  ... on ConcurrencyLimit {
    capacity
    leaseMs
  }
}`) as unknown as TypedDocumentString<RulesWithHistoryQuery, RulesWithHistoryQueryVariables>;
export const SubjectsInDepthDocument = new TypedDocumentString(`
    query SubjectsInDepth($first: Int) {
  subjects(first: $first) {
    nodes {
      caller {
        user
      }
      tier {
        name
      }
      quotaNow {
        tier {
          name
        }
        limits {
          remaining
        }
      }
      apiKeys(first: 5) {
        nodes {
          prefix
          holder {
            caller {
              user
            }
          }
          history {
            nodes {
              action
            }
          }
        }
      }
      history {
        nodes {
          action
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SubjectsInDepthQuery, SubjectsInDepthQueryVariables>;
export const RuleCreateDocument = new TypedDocumentString(`
    mutation RuleCreate($input: RuleCreateInput!) {
  ruleCreate(input: $input) {
    ...RuleOutcome
  }
}
    fragment RuleOutcome on RulePayload {
  rule {
    id
    name
    description
    mode
    priority
    version
    retiredAt
    action {
      type
      maxDelayMs
    }
    limits {
      ...LimitFields
    }
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    field
    code
    message
  }
}
fragment LimitFields on RuleLimit {
  __typename
  ... on TokenBucketLimit {
    key
    countDenied
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on LeakyBucketLimit {
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on FixedWindowLimit {
    amount
    windowMs
  }
  ... on SlidingWindowCounterLimit {
    amount
    windowMs
    strict
  }
  ... on SlidingWindowLogLimit {
    amount
    windowMs
  }
  ... on ConcurrencyLimit {
    capacity
    leaseMs
  }
}`) as unknown as TypedDocumentString<RuleCreateMutation, RuleCreateMutationVariables>;
export const RuleUpdateDocument = new TypedDocumentString(`
    mutation RuleUpdate($input: RuleUpdateInput!) {
  ruleUpdate(input: $input) {
    ...RuleOutcome
  }
}
    fragment RuleOutcome on RulePayload {
  rule {
    id
    name
    description
    mode
    priority
    version
    retiredAt
    action {
      type
      maxDelayMs
    }
    limits {
      ...LimitFields
    }
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    field
    code
    message
  }
}
fragment LimitFields on RuleLimit {
  __typename
  ... on TokenBucketLimit {
    key
    countDenied
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on LeakyBucketLimit {
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on FixedWindowLimit {
    amount
    windowMs
  }
  ... on SlidingWindowCounterLimit {
    amount
    windowMs
    strict
  }
  ... on SlidingWindowLogLimit {
    amount
    windowMs
  }
  ... on ConcurrencyLimit {
    capacity
    leaseMs
  }
}`) as unknown as TypedDocumentString<RuleUpdateMutation, RuleUpdateMutationVariables>;
export const RuleSetModeDocument = new TypedDocumentString(`
    mutation RuleSetMode($input: RuleSetModeInput!) {
  ruleSetMode(input: $input) {
    ...RuleOutcome
  }
}
    fragment RuleOutcome on RulePayload {
  rule {
    id
    name
    description
    mode
    priority
    version
    retiredAt
    action {
      type
      maxDelayMs
    }
    limits {
      ...LimitFields
    }
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    field
    code
    message
  }
}
fragment LimitFields on RuleLimit {
  __typename
  ... on TokenBucketLimit {
    key
    countDenied
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on LeakyBucketLimit {
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on FixedWindowLimit {
    amount
    windowMs
  }
  ... on SlidingWindowCounterLimit {
    amount
    windowMs
    strict
  }
  ... on SlidingWindowLogLimit {
    amount
    windowMs
  }
  ... on ConcurrencyLimit {
    capacity
    leaseMs
  }
}`) as unknown as TypedDocumentString<RuleSetModeMutation, RuleSetModeMutationVariables>;
export const RuleRetireDocument = new TypedDocumentString(`
    mutation RuleRetire($input: RuleRetireInput!) {
  ruleRetire(input: $input) {
    ...RuleOutcome
  }
}
    fragment RuleOutcome on RulePayload {
  rule {
    id
    name
    description
    mode
    priority
    version
    retiredAt
    action {
      type
      maxDelayMs
    }
    limits {
      ...LimitFields
    }
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    field
    code
    message
  }
}
fragment LimitFields on RuleLimit {
  __typename
  ... on TokenBucketLimit {
    key
    countDenied
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on LeakyBucketLimit {
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on FixedWindowLimit {
    amount
    windowMs
  }
  ... on SlidingWindowCounterLimit {
    amount
    windowMs
    strict
  }
  ... on SlidingWindowLogLimit {
    amount
    windowMs
  }
  ... on ConcurrencyLimit {
    capacity
    leaseMs
  }
}`) as unknown as TypedDocumentString<RuleRetireMutation, RuleRetireMutationVariables>;
export const RuleRestoreDocument = new TypedDocumentString(`
    mutation RuleRestore($input: RuleRestoreInput!) {
  ruleRestore(input: $input) {
    ...RuleOutcome
  }
}
    fragment RuleOutcome on RulePayload {
  rule {
    id
    name
    description
    mode
    priority
    version
    retiredAt
    action {
      type
      maxDelayMs
    }
    limits {
      ...LimitFields
    }
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    field
    code
    message
  }
}
fragment LimitFields on RuleLimit {
  __typename
  ... on TokenBucketLimit {
    key
    countDenied
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on LeakyBucketLimit {
    capacity
    refillAmount
    refillPeriodMs
    maxDebt
  }
  ... on FixedWindowLimit {
    amount
    windowMs
  }
  ... on SlidingWindowCounterLimit {
    amount
    windowMs
    strict
  }
  ... on SlidingWindowLogLimit {
    amount
    windowMs
  }
  ... on ConcurrencyLimit {
    capacity
    leaseMs
  }
}`) as unknown as TypedDocumentString<RuleRestoreMutation, RuleRestoreMutationVariables>;
export const TiersDocument = new TypedDocumentString(`
    query Tiers {
  tiers {
    nodes {
      ...TierFields
    }
  }
}
    fragment TierFields on Tier {
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
  isDefault
  version
  createdAt
  updatedAt
  retiredAt
}`) as unknown as TypedDocumentString<TiersQuery, TiersQueryVariables>;
export const TierByNameDocument = new TypedDocumentString(`
    query TierByName($name: String!) {
  tier(name: $name) {
    ...TierFields
  }
}
    fragment TierFields on Tier {
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
  isDefault
  version
  createdAt
  updatedAt
  retiredAt
}`) as unknown as TypedDocumentString<TierByNameQuery, TierByNameQueryVariables>;
export const TierCreateDocument = new TypedDocumentString(`
    mutation TierCreate($input: TierCreateInput!) {
  tierCreate(input: $input) {
    tier {
      ...TierFields
    }
    userErrors {
      field
      code
      message
    }
  }
}
    fragment TierFields on Tier {
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
  isDefault
  version
  createdAt
  updatedAt
  retiredAt
}`) as unknown as TypedDocumentString<TierCreateMutation, TierCreateMutationVariables>;
export const TierUpdateDocument = new TypedDocumentString(`
    mutation TierUpdate($input: TierUpdateInput!) {
  tierUpdate(input: $input) {
    tier {
      ...TierFields
    }
    userErrors {
      field
      code
      message
    }
  }
}
    fragment TierFields on Tier {
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
  isDefault
  version
  createdAt
  updatedAt
  retiredAt
}`) as unknown as TypedDocumentString<TierUpdateMutation, TierUpdateMutationVariables>;
export const UsageDocument = new TypedDocumentString(`
    query Usage($range: TimeRangeInput, $bucket: UsageBucket, $groupBy: [UsageGroup!], $filter: UsageFilter, $first: Int, $after: String) {
  usage(
    range: $range
    bucket: $bucket
    groupBy: $groupBy
    filter: $filter
    first: $first
    after: $after
  ) {
    nodes {
      from
      to
      caller {
        kind
        name
        tenant
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
      shadowDenied
      estimatedCost
      actualCost
      deniedCost
      estimatedCalls
      actualCalls
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<UsageQuery, UsageQueryVariables>;
export const TopsDocument = new TypedDocumentString(`
    query Tops($range: TimeRangeInput, $first: Int, $orderBy: UsageMeasure) {
  topCallers(range: $range, first: $first, orderBy: $orderBy) {
    nodes {
      caller {
        kind
        name
        tenant
      }
      requests
      share
    }
  }
  topTenants(range: $range, first: $first, orderBy: $orderBy) {
    nodes {
      tenant
      requests
    }
  }
  topOperations(range: $range, first: $first, orderBy: $orderBy) {
    nodes {
      operation {
        type
        name
      }
      requests
    }
  }
  topFields(range: $range, first: $first, orderBy: $orderBy) {
    nodes {
      field
      requests
      actualCost
    }
  }
}
    `) as unknown as TypedDocumentString<TopsQuery, TopsQueryVariables>;
export const TopPageDocument = new TypedDocumentString(`
    query TopPage($range: TimeRangeInput, $first: Int, $callers: String, $tenants: String, $orderBy: UsageMeasure) {
  topCallers(range: $range, first: $first, after: $callers, orderBy: $orderBy) {
    nodes {
      caller {
        kind
        name
        tenant
      }
      requests
      share
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
  topTenants(range: $range, first: $first, after: $tenants, orderBy: $orderBy) {
    nodes {
      tenant
      requests
      share
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<TopPageQuery, TopPageQueryVariables>;
export const DenialsDocument = new TypedDocumentString(`
    query Denials($range: TimeRangeInput, $filter: DenialFilter, $first: Int, $after: String) {
  denials(range: $range, filter: $filter, first: $first, after: $after) {
    nodes {
      at
      ruleName
      rule {
        name
        version
      }
      shadow
      code
      caller {
        kind
        name
        user
        tenant
        apiKey
        ip
        subject {
          id
        }
      }
      tier
      operation {
        type
        name
      }
      document {
        id
        text
      }
      variables
      requestedCost
      scope
      field
      charge
      limit
      used
      remaining
      retryAfterMs
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<DenialsQuery, DenialsQueryVariables>;
export const DeniedDocumentDocument = new TypedDocumentString(`
    query DeniedDocument($id: ID!) {
  deniedDocument(id: $id) {
    id
    text
  }
}
    `) as unknown as TypedDocumentString<DeniedDocumentQuery, DeniedDocumentQueryVariables>;
export const ViolationsDocument = new TypedDocumentString(`
    query Violations($range: TimeRangeInput, $filter: ViolationFilter, $first: Int, $after: String) {
  violations(range: $range, filter: $filter, first: $first, after: $after) {
    nodes {
      ruleName
      rule {
        name
      }
      caller {
        kind
        name
        tenant
      }
      denied
      shadowDenied
      deniedCost
      share
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ViolationsQuery, ViolationsQueryVariables>;
export const AccuracyDocument = new TypedDocumentString(`
    query Accuracy($range: TimeRangeInput, $first: Int) {
  operationAccuracy(range: $range, first: $first) {
    operation {
      type
      name
    }
    requests
    estimatedCost
    actualCost
    ratio
  }
  fieldAccuracy(range: $range, first: $first) {
    field
    estimatedCostPerCall
    actualCostPerCall
    assumedSize
    suggestedAssumedSize
    suggestedWeight
  }
}
    `) as unknown as TypedDocumentString<AccuracyQuery, AccuracyQueryVariables>;
export const SubjectsWithUsageDocument = new TypedDocumentString(`
    query SubjectsWithUsage($range: TimeRangeInput, $bucket: UsageBucket, $first: Int, $usages: Int, $after: String) {
  subjects(first: $first) {
    nodes {
      caller {
        user
        tenant
      }
      usage(range: $range, bucket: $bucket, first: $usages, after: $after) {
        nodes {
          from
          to
          requests
          actualCost
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SubjectsWithUsageQuery, SubjectsWithUsageQueryVariables>;
export const SimulateRuleDocument = new TypedDocumentString(`
    query SimulateRule($input: RuleSimulateInput!) {
  ruleSimulate(input: $input) {
    simulation {
      from
      to
      isTruncated
      decisions
      cost
      denied
      deniedCost
      newlyDenied
      newlyDeniedCost
      recordedDenied
      deniedBefore
      deniedAfter
      newlyAdmitted
      delayed
      sampled
      callers {
        caller {
          kind
          name
          tenant
        }
        decisions
        denied
      }
      operations {
        type
        name
        decisions
        denied
        deniedCost
      }
    }
    userErrors {
      code
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SimulateRuleQuery, SimulateRuleQueryVariables>;
export const RulesWithEffectDocument = new TypedDocumentString(`
    query RulesWithEffect($range: TimeRangeInput, $first: Int, $page: Int, $denials: String, $violations: String) {
  rules(first: $first) {
    nodes {
      name
      usage(range: $range, bucket: DAY, first: $page) {
        nodes {
          from
          requests
          denied
          shadowDenied
        }
      }
      shadowDenied(range: $range)
      violations(range: $range, first: $page, after: $violations) {
        nodes {
          ruleName
          caller {
            kind
            name
            tenant
          }
          denied
          shadowDenied
          share
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
      denials(range: $range, first: $page, after: $denials) {
        nodes {
          at
          ruleName
          shadow
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RulesWithEffectQuery, RulesWithEffectQueryVariables>;
export const OperationSpreadsDocument = new TypedDocumentString(`
    query OperationSpreads($range: TimeRangeInput, $first: Int) {
  topOperations(first: $first, range: $range) {
    nodes {
      operation {
        type
        name
      }
      spread(range: $range) {
        decisions
        p50Cost
        p95Cost
        p50DurationMs
        p95DurationMs
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OperationSpreadsQuery, OperationSpreadsQueryVariables>;