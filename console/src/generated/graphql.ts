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
  /** A time in RFC 3339, `2026-01-31T12:00:00.000Z`, or a day, `2026-01-31`, which means its start in UTC. */
  DateTime: { input: string; output: string; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
  /** A whole number from -(2^53 - 1) to 2^53 - 1, as a JSON number. */
  SafeInt: { input: number; output: number; }
};

/** Permissions of an administrator. Each role includes the permissions of the roles before it, except those of DECIDER. */
export type AdminRole =
  /** May do everything, including changes to tiers, rules, policies and admin tokens. */
  | 'ADMIN'
  /** May only ask for decisions and settle them. For servers, not for people. */
  | 'DECIDER'
  /** May also change the tiers, buckets and keys of callers, and the modes of rules. */
  | 'OPERATOR'
  /** May read everything except admin tokens, console sessions and settings. */
  | 'VIEWER';

/** A new admin token. */
export type AdminTokenCreateInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Time at which the token expires. Default: it never expires. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Up to 200 characters. Repetitions within a day change nothing. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Name of the holder, 1 to 100 characters. Unique among the tokens in use. */
  name: Scalars['String']['input'];
  /** Role of the holder. */
  role: AdminRole;
};

/** Input that revokes a token permanently. With `name`, all tokens of that name are revoked, including a replaced one. */
export type AdminTokenRevokeInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** The id of the token. Set either this or `name`. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The name of the token. Set either this or `id`. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** Input that replaces a token with a new one of the same name and role. */
export type AdminTokenRotateInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Time at which the new token expires. Default: the expiry of the old token. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** The id of the token. Set either this or `name`. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The name of the token. Set either this or `id`. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Milliseconds for which the old token stays valid, up to 90 days. Default: 0. */
  overlapMs?: InputMaybe<Scalars['SafeInt']['input']>;
};

/** Detail on cost and limits in a response. */
export type AnswerDetail =
  /** The cost, the bucket of the tier, and the other limit that is closest to a denial. */
  | 'BRIEF'
  /** All limits that applied, the tier and the mode. */
  | 'FULL'
  /** No numbers. Denials contain only their code and the time of a retry. */
  | 'NONE';

/** Budget of an API key. Set either `calendar`, or the members of a bucket: `capacity`, `refillAmount` and `refillPeriodMs`. */
export type ApiKeyBudgetInput = {
  /** Amount for each period of the calendar. */
  calendar?: InputMaybe<CalendarBudgetInput>;
  /** Capacity in tokens, 1 to 2147483647. */
  capacity?: InputMaybe<Scalars['Int']['input']>;
  /** Whole tokens that are refilled evenly in each period. */
  refillAmount?: InputMaybe<Scalars['Int']['input']>;
  /** Period of the refill in milliseconds. */
  refillPeriodMs?: InputMaybe<Scalars['SafeInt']['input']>;
};

/** A new API key for a stored user or tenant. */
export type ApiKeyCreateInput = {
  /** Budget, charged in addition to the limits of the holder; null: none. */
  budget?: InputMaybe<ApiKeyBudgetInput>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Time at which the key expires. Default: it never expires. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Up to 200 fields that operations may select; null: all. */
  fields?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Up to 200 characters. Repetitions within a day change nothing. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Kind of program that uses the key. Default: `SERVICE`. */
  kind?: InputMaybe<ApiKeyKind>;
  /** Name for administrators, up to 100 characters. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Scopes of the key. Tollgate passes them on and does not check them. */
  scopes?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Default: the key belongs to the tenant itself. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Kinds of API keys. */
export type ApiKeyKind =
  /** A program that decides itself which operations it sends, such as a language model behind an MCP server. */
  | 'AGENT'
  /** A program of the holder. */
  | 'SERVICE';

/** The API key to revoke permanently. It becomes invalid everywhere within two seconds. */
export type ApiKeyRevokeInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** The id of the key. Set either this or `prefix`. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The prefix of the key. Set either this or `id`. */
  prefix?: InputMaybe<Scalars['String']['input']>;
};

/** The API key to replace with a new one. */
export type ApiKeyRotateInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** The id of the key. Set either this or `prefix`. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** Milliseconds for which the old key stays valid, up to 90 days. Default: 0. */
  overlapMs?: InputMaybe<Scalars['SafeInt']['input']>;
  /** The prefix of the key. Set either this or `id`. */
  prefix?: InputMaybe<Scalars['String']['input']>;
};

/** A change of an API key. Members that are missing stay as they are. */
export type ApiKeyUpdateInput = {
  /** Budget, charged in addition to the limits of the holder; null: none. */
  budget?: InputMaybe<ApiKeyBudgetInput>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** Time at which the key expires; null for never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Up to 200 fields that operations may select; null: all. */
  fields?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The id of the key. Set either this or `prefix`. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** Kind of program that uses the key. */
  kind?: InputMaybe<ApiKeyKind>;
  /** Name for administrators, up to 100 characters. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The prefix of the key. Set either this or `id`. */
  prefix?: InputMaybe<Scalars['String']['input']>;
  /** Scopes of the key. Tollgate passes them on and does not check them. */
  scopes?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** Methods of authentication of an actor. */
export type AuthMethod =
  /** An admin token. */
  | 'ADMIN_TOKEN'
  /** Access to the settings of the platform, on the command line. */
  | 'COMMAND_LINE'
  /** None: an address that guessed tokens. */
  | 'NONE'
  /** The authentication of the server that mounts the API. */
  | 'SERVER'
  /** None: Tollgate itself made the change. */
  | 'SYSTEM';

/** State of the circuit breaker of a Redis. */
export type BreakerState =
  /** Redis answers and decides. */
  | 'CLOSED'
  /** Tollgate tests whether Redis answers again. Limits are decided without Redis. */
  | 'HALF_OPEN'
  /** Redis does not answer. Limits are decided without Redis. */
  | 'OPEN';

/** A token bucket. */
export type BucketInput = {
  /** Capacity in tokens, 1 to 2147483647. */
  capacity: Scalars['Int']['input'];
  /** Whole tokens that are refilled evenly in each period. */
  refillAmount: Scalars['Int']['input'];
  /** Period of the refill in milliseconds. */
  refillPeriodMs: Scalars['SafeInt']['input'];
};

/** Parameters of a bucket. */
export type BucketLimitInput = {
  /** Capacity of the bucket: the maximum that can be spent at once. */
  capacity: Scalars['Int']['input'];
  /** Whether denied operations count too, for rules against abuse. */
  countDenied?: InputMaybe<Scalars['Boolean']['input']>;
  /** Any name, to separate two limits with the same algorithm and window. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** Maximum debt (amount below zero). Default: the capacity. */
  maxDebt?: InputMaybe<Scalars['Int']['input']>;
  /** Amount that is refilled evenly in each `refillPeriodMs`. */
  refillAmount: Scalars['Int']['input'];
  /** Period of the refill in milliseconds: 100 an hour is 100 per 3600000. */
  refillPeriodMs: Scalars['SafeInt']['input'];
};

/** Dates from which the periods of a calendar window are counted. */
export type CalendarAnchor =
  /** The day `anchorDay` of each period. */
  | 'CALENDAR'
  /** The billing anchor of the caller or its tenant; without one, as `CALENDAR`. */
  | 'SUBJECT';

/** Input of a budget for periods of the calendar, of a tier or an API key. */
export type CalendarBudgetInput = {
  /** Amount that a period includes. */
  amount: Scalars['SafeInt']['input'];
  /** Date from which the periods are counted. Default: `CALENDAR`. */
  anchor?: InputMaybe<CalendarAnchor>;
  /** Day of the start: 1 to 31, for `WEEK` 1 (Monday) to 7. Default: 1. */
  anchorDay?: InputMaybe<Scalars['Int']['input']>;
  /** Local time at which a period begins, as `HH:MM`. Default: `00:00`. */
  anchorTime?: InputMaybe<Scalars['String']['input']>;
  /** Part of the unused amount that only the next period gets. */
  carryOver?: InputMaybe<CarryOverInput>;
  /** Length of a period. */
  every: CalendarPeriod;
  /** Amount at which denials start, after overage. Default: `amount`. */
  hardCap?: InputMaybe<Scalars['SafeInt']['input']>;
  /** IANA name of the time zone of the periods. Default: `UTC`. */
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

/** Lengths of periods of a calendar. */
export type CalendarPeriod =
  /** A day, from `anchorTime` on. */
  | 'DAY'
  /** An hour. */
  | 'HOUR'
  /** A month, from its day `anchorDay` or the last day of a shorter month on. */
  | 'MONTH'
  /** Three months. */
  | 'QUARTER'
  /** Seven days, from the day of the week `anchorDay` on. */
  | 'WEEK'
  /** Twelve months. */
  | 'YEAR';

/** An amount for each period of a calendar. */
export type CalendarWindowLimitInput = {
  /** Amount that a period includes. */
  amount: Scalars['SafeInt']['input'];
  /** Date from which the periods are counted. Default: `CALENDAR`. */
  anchor?: InputMaybe<CalendarAnchor>;
  /** Day of the start: 1 to 31, for `WEEK` 1 (Monday) to 7. Default: 1. */
  anchorDay?: InputMaybe<Scalars['Int']['input']>;
  /** Local time at which a period begins, as `HH:MM`. Default: `00:00`. */
  anchorTime?: InputMaybe<Scalars['String']['input']>;
  /** Part of the unused amount that only the next period gets. */
  carryOver?: InputMaybe<CarryOverInput>;
  /** Whether denied operations count too, for rules against abuse. */
  countDenied?: InputMaybe<Scalars['Boolean']['input']>;
  /** Length of a period. */
  every: CalendarPeriod;
  /** Amount at which denials start, after overage. Default: `amount`. */
  hardCap?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Any name, to separate two limits with the same algorithm and window. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** IANA name of the time zone of the periods. Default: `UTC`. */
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

/** Kinds of identity of a caller. */
export type CallerKind =
  /** Only an address. */
  | 'ANONYMOUS'
  /** An API key without a user. */
  | 'API_KEY'
  /** Callers that are counted together, because too many different callers arrived in one minute. */
  | 'OTHER'
  /** The id of a tenant: all of its users and keys. */
  | 'TENANT'
  /** The id of a user. */
  | 'USER';

/** Part of the unused amount of a period that only the next period gets. */
export type CarryOverInput = {
  /** Maximum amount that is carried over. */
  max: Scalars['SafeInt']['input'];
  /** Percentage of the unused amount: 1 to 100. */
  percent: Scalars['Int']['input'];
};

/** Actions of changes. */
export type ChangeAction =
  /** The object was created. */
  | 'CREATE'
  /** The object was deleted. Only the record of changes still contains it. */
  | 'DELETE'
  /** An attempt was denied. Nothing changed. */
  | 'DENIED'
  /** The caller was disabled. */
  | 'DISABLE'
  /** The caller was enabled again. */
  | 'ENABLE'
  /** Open subscriptions or WebSockets of the caller were ended. */
  | 'END_STREAMS'
  /** A browser logged in to the console. */
  | 'LOGIN'
  /** A session of the console ended, by its user or by an admin. */
  | 'LOGOUT'
  /** The caller received its own bucket, or its bucket was removed. */
  | 'OVERRIDE'
  /** The quotas of the caller were reset. */
  | 'RESET_QUOTA'
  /** The object was restored, or returned to an earlier version. */
  | 'RESTORE'
  /** The object was retired. */
  | 'RETIRE'
  /** The object was revoked permanently. */
  | 'REVOKE'
  /** A new key replaced the key. */
  | 'ROTATE'
  /** The object was changed. */
  | 'UPDATE';

/** Conditions for changes. A change must meet all of them. */
export type ChangeFilter = {
  /** Only changes by this actor. */
  actor?: InputMaybe<Scalars['String']['input']>;
  /** Only changes of this kind of object. */
  entity?: InputMaybe<ChangedEntity>;
  /** Only changes of the object with this `Change.key`. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** Only changes of objects with this current or former name. The name is that of a tier, a rule or a token; the id of a user or a tenant; the prefix of an API key; a denied operation; or the address of an API behind gateways. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Only changes at or after this time. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only changes before this time. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Kinds of changed objects. */
export type ChangedEntity =
  /** An attempt that was denied; the key is the operation. Nothing changed. */
  | 'ACCESS'
  /** An admin token. */
  | 'ADMIN_TOKEN'
  /** An API key; the key is its prefix. */
  | 'API_KEY'
  /** A version of an app with its registered documents; the key is the app and the version. */
  | 'DOCUMENTS'
  /** A rule. */
  | 'RULE'
  /** The schema or the prices of an API behind gateways; the key is its address. The differences are named by coordinate. */
  | 'SCHEMA'
  /** A session of the console; the key is the number of the session. */
  | 'SESSION'
  /** A user or a tenant. For a reset of a quota, and for ended subscriptions: the named caller. */
  | 'SUBJECT'
  /** A tier; the key is its name. */
  | 'TIER';

/** An operation of a protected API, and its caller. */
export type ChargePreviewInput = {
  /** The caller of the operation. */
  as: SubjectInput;
  /** Time whose rules decide, such as the start of a sale. The counters are those of the present. Default: now. */
  at?: InputMaybe<Scalars['DateTime']['input']>;
  /** Name of the client, as in the header `apollographql-client-name`. Default: none. */
  client?: InputMaybe<Scalars['String']['input']>;
  /** Version of the client, as in the header `apollographql-client-version`. It chooses among the versions that have registered the document. Default: none. */
  clientVersion?: InputMaybe<Scalars['String']['input']>;
  /** Name of the operation. Required if the document has several. */
  operationName?: InputMaybe<Scalars['String']['input']>;
  /** GraphQL document: `{ countries(first: 20) { name } }`. */
  query: Scalars['String']['input'];
  /** Name in `services`. Default: the API of this process or the only API. */
  service?: InputMaybe<Scalars['String']['input']>;
  /** Variables of the operation, as a JSON object. */
  variables?: InputMaybe<Scalars['JSON']['input']>;
};

/** Maximum number of operations that run at the same time. */
export type ConcurrencyLimitInput = {
  /** Maximum number of operations that run at the same time. Up to 10000. */
  capacity: Scalars['Int']['input'];
  /** Whether denied operations count too, for rules against abuse. */
  countDenied?: InputMaybe<Scalars['Boolean']['input']>;
  /** Any name, to separate two limits with the same algorithm and window. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** Milliseconds after which a slot is free again at the latest. */
  leaseMs: Scalars['SafeInt']['input'];
  /** Maximum number of operations that wait in each process. Default: 100. */
  maxQueue?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum wait for a slot, in milliseconds. Default: 0. */
  maxWaitMs?: InputMaybe<Scalars['Int']['input']>;
  /** Whether each WebSocket has its own counter, for SUBSCRIPTIONS only. */
  perConnection?: InputMaybe<Scalars['Boolean']['input']>;
};

/** The session to end. */
export type ConsoleSessionEndInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** The id of the session. */
  id: Scalars['ID']['input'];
};

/** An operation of a protected API. */
export type CostExplainInput = {
  /** Name of the operation. Required if the document has several. */
  operationName?: InputMaybe<Scalars['String']['input']>;
  /** GraphQL document: `{ countries(first: 20) { name } }`. */
  query: Scalars['String']['input'];
  /** Name in `services`. Default: the API of this process or the only API. */
  service?: InputMaybe<Scalars['String']['input']>;
  /** Variables of the operation, as a JSON object. */
  variables?: InputMaybe<Scalars['JSON']['input']>;
};

/** Kinds of credentials. */
export type CredentialKind =
  /** An API key. */
  | 'KEY'
  /** No credential: the caller is anonymous. */
  | 'NONE'
  /** Any other credential that identifies a user or a tenant, such as a token or a session. */
  | 'TOKEN';

/** Reasons of denials. */
export type DenialCode =
  /** The operation costs more than the capacity of the limit, or more than the tier allows for one operation. */
  | 'MAX_COST_EXCEEDED'
  /** A limit was used up at that time. */
  | 'THROTTLED'
  /** The counters of a limit with `onUnavailable: CLOSED` were unavailable; or Redis did not respond in time, and operations in flight could use up the limit. */
  | 'UNAVAILABLE';

/** Conditions for denials. A denial must meet all of them. */
export type DenialFilter = {
  /** Only denials of the API key with this prefix, for callers without a user. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** Only denials for which this integration asked, such as `apollo-router`. */
  integration?: InputMaybe<Scalars['String']['input']>;
  /** Only denials of this address, for callers without a user or an API key. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** Only denials of operations with this name. */
  operation?: InputMaybe<Scalars['String']['input']>;
  /** Only denials by this rule, or `tier:NAME`. */
  rule?: InputMaybe<Scalars['String']['input']>;
  /** `true`: only operations that rules in `SHADOW` would have denied. `false`: only denied operations. Default: both. */
  shadow?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only denials of the users and keys of this tenant. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Only denials of this user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Conditions for versions. A version must meet all of them. */
export type DocumentVersionFilter = {
  /** Only versions of this app. */
  app?: InputMaybe<Scalars['String']['input']>;
  /** Only versions whose app or version contains this text, in upper or lower case. */
  nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Only versions in this state. */
  state?: InputMaybe<DocumentVersionState>;
  /** Only versions without a use since this time. */
  unusedSince?: InputMaybe<Scalars['DateTime']['input']>;
};

/** The version to publish. */
export type DocumentVersionPublishInput = {
  /** Name of the app. */
  app: Scalars['String']['input'];
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Name of the version. */
  version: Scalars['String']['input'];
};

/** Documents to add to a version of an app. */
export type DocumentVersionPushInput = {
  /** Name of the app. */
  app: Scalars['String']['input'];
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** The documents. All are stored, or none. */
  documents: Array<RegisteredDocumentInput>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Whether to publish the version too. */
  publish?: Scalars['Boolean']['input'];
  /** Name of the version. */
  version: Scalars['String']['input'];
};

/** The version to retire. */
export type DocumentVersionRetireInput = {
  /** Name of the app. */
  app: Scalars['String']['input'];
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Days without a use that the version needs. 0 retires it even if callers use it. */
  unusedDays?: Scalars['Int']['input'];
  /** Name of the version. */
  version: Scalars['String']['input'];
};

/** States of a version of an app. */
export type DocumentVersionState =
  /** The version is stored. Callers cannot send its documents by id. */
  | 'DRAFT'
  /** Callers can send its documents by id. */
  | 'PUBLISHED'
  /** The version has ended. Callers can no longer send its documents by id. */
  | 'RETIRED';

/** Documents to check on the schema of an API. */
export type DocumentsCheckInput = {
  /** App whose last published version the costs are compared with. Default: no comparison. */
  app?: InputMaybe<Scalars['String']['input']>;
  /** The documents. */
  documents: Array<RegisteredDocumentInput>;
  /** Maximum worst case, in tokens. Default: none. */
  maxCost?: InputMaybe<Scalars['Float']['input']>;
  /** Largest increase of a worst case, in percent. Default: none. */
  maxIncrease?: InputMaybe<Scalars['Float']['input']>;
  /** Name in `services`. Default: the API of this process or the only API. */
  service?: InputMaybe<Scalars['String']['input']>;
};

/** Effects of a denied event on its subscription. */
export type EventPolicy =
  /** The subscription ends with the error of the denial. */
  | 'COMPLETE'
  /** The event is not sent. */
  | 'DROP'
  /** The subscription reads no further event until the limit has room. */
  | 'PAUSE';

/** Health of a process. */
export type InstanceState =
  /** The process runs without a part that it needs, such as Redis. `problems` has the reasons. */
  | 'DEGRADED'
  /** The process has no problems. */
  | 'READY';

/** Units of limits. */
export type Measure =
  /** Calls of matching fields. */
  | 'CALLS'
  /** One per open WebSocket connection. */
  | 'CONNECTIONS'
  /** Tokens: cost of the outermost matching fields, including nested fields. */
  | 'COST'
  /** The field cost of the IBM cost directives, with every cost profile. */
  | 'FIELD_COST'
  /** Objects; with the cost profile `github`: only connection nodes. */
  | 'NODES'
  /** One per operation that has a matching field. */
  | 'REQUESTS'
  /** One per open subscription that has a matching field. */
  | 'SUBSCRIPTIONS'
  /** The type cost of the IBM cost directives, with every cost profile. */
  | 'TYPE_COST';

/** Behavior of a limit while its counters are unavailable. */
export type OnUnavailable =
  /** The limit denies all operations, with status 503. */
  | 'CLOSED'
  /** Each process decides with its own counters. */
  | 'LOCAL'
  /** The limit admits all operations. */
  | 'OPEN';

/** Conditions for open streams. A stream must meet all of them. */
export type OpenStreamFilter = {
  /** The prefix of an API key, with or without a user. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** An address, of any caller. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** Kind of the streams. Default: both. */
  kind?: InputMaybe<OpenStreamKind>;
  /** Name of the operation of a subscription. */
  operation?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Without `tenant`, only a user without a tenant matches. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Kinds of open streams. */
export type OpenStreamKind =
  /** A WebSocket, with or without subscriptions. */
  | 'CONNECTION'
  /** A subscription. */
  | 'SUBSCRIPTION';

/** The streams to end: one by its `id`, or those of a caller: `{user: "42"}`, `{apiKey: "tg_..."}` with the prefix, `{ip: "192.0.2.7"}`, or a tenant with all its users. */
export type OpenStreamsEndInput = {
  /** The prefix of an API key, with or without a user. Omit `user` and `tenant`. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** The id of one stream. Omit all other conditions. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** An address, of any caller. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** Kind of the streams. Default: both. */
  kind?: InputMaybe<OpenStreamKind>;
  /** Name of the operation of a subscription. Default: all. */
  operation?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. With `tenant`, the user of that tenant. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Types of operations. */
export type OperationType =
  /** A mutation, which changes data. */
  | 'MUTATION'
  /** A query, which reads data. */
  | 'QUERY'
  /** A subscription, which receives events. */
  | 'SUBSCRIPTION';

/** Change of one tier or rule. */
export type PolicyAction =
  /** Creates an object that the document has and the store does not have. */
  | 'CREATE'
  /** Retires an object that only the store has, because `prune` is set. */
  | 'RETIRE'
  /** Updates an object that differs between the document and the store. */
  | 'UPDATE';

/** Kind of object that a step of a policy changes. */
export type PolicyStepKind =
  /** A rule. */
  | 'RULE'
  /** A tier. */
  | 'TIER';

/** A document with tiers and rules. Tollgate applies all of it or, if it has errors, nothing. */
export type PolicySyncInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** YAML or JSON with `tiers` and `rules`, as `schema/policy.schema.json` defines it. Objects that the document does not name stay unchanged, unless `prune` is true. */
  document: Scalars['String']['input'];
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** The `version` from a dry run. If a tier or a rule changed since then, the error is `STALE_VERSION`. This ensures that the applied steps are the planned steps. */
  expectedVersion?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Up to 200 characters. Repetitions within a day change nothing. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Whether to retire the rules and tiers that the document does not name. */
  prune?: Scalars['Boolean']['input'];
};

/** Ways in which a limit counts. */
export type Precision =
  /** Each operation is charged to the counter that all instances share. */
  | 'EXACT'
  /** An instance with frequent charges leases tokens for a tenth of a second, and decides without Redis. docs/leases.md describes by how much a limit can be exceeded. */
  | 'LEASED';

/** Decision on the operation at this moment. */
export type PreviewVerdict =
  /** The operation would run. */
  | 'ADMITTED'
  /** The operation would run after a delay, because a rule throttles it. */
  | 'DELAYED'
  /** The operation would always be denied: it costs more than the capacity of a limit, or more than the tier allows. */
  | 'MAX_COST_EXCEEDED'
  /** The operation would be denied now and could pass later. */
  | 'THROTTLED'
  /** The operation would be denied: Redis does not answer, and a rule has `onUnavailable: CLOSED`. */
  | 'UNAVAILABLE'
  /** The operation would wait for a slot of a concurrency limit, and be denied if none is free within `maxWaitMs`. */
  | 'WAITING';

/** Monthly price of a tier. */
export type PriceInput = {
  /** Amount in the smallest unit of the currency, such as cents. */
  amountMinor: Scalars['SafeInt']['input'];
  /** ISO 4217 code of the currency, three capital letters: `USD`, `EUR`. */
  currency: Scalars['String']['input'];
};

/** Ways in which the Redis servers of several regions enforce a limit. */
export type RegionMode =
  /** Each Redis enforces the whole limit. */
  | 'CENTRAL'
  /** The Redis of each region enforces the share of its region, which the setting `TOLLGATE_REGION_SHARES` defines. */
  | 'SPLIT'
  /** The Redis of each region enforces the whole limit, and adds what the other regions have reported. docs/regions.md describes by how much a limit can be exceeded. */
  | 'WATCH';

/** Conditions for documents. A document must meet all of them. */
export type RegisteredDocumentFilter = {
  /** Only documents whose operation or id contains this text, in upper or lower case. */
  nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Only documents without a use since this time. */
  unusedSince?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A document to register. */
export type RegisteredDocumentInput = {
  /** Its id. Default: `sha256:` and the SHA-256 of the text. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Its text, at most 256 KiB. */
  text: Scalars['String']['input'];
};

/** Action of a rule: `{type: REJECT}`, `{type: THROTTLE, maxDelayMs: 2000}`. */
export type RuleActionInput = {
  /** Maximum delay of an operation in milliseconds, 1 to 60000; only for THROTTLE. */
  maxDelayMs?: InputMaybe<Scalars['Int']['input']>;
  /** Action on operations that exceed the limits. */
  type: RuleActionType;
};

/** Action of a rule on operations that exceed its limits. */
export type RuleActionType =
  /** Other rules with the same scope, field and measure do not limit the operations that the rule matches. The rule has no limits itself. */
  | 'EXEMPT'
  /** The rule denies operations that exceed its limits. */
  | 'REJECT'
  /** The rule delays operations that lack tokens, up to `maxDelayMs`. It denies operations that need a longer delay. */
  | 'THROTTLE';

/** Kinds of callers, for conditions of rules. */
export type RuleCallers =
  /** Callers that are known only by their address. */
  | 'ANONYMOUS'
  /** Callers with a user, a tenant or an API key. */
  | 'IDENTIFIED';

/** A new rule. 20 searches a minute per user: `{name: "search", scope: USER, field: "Query.search", measure: CALLS, limits: [{slidingWindowCounter: {amount: 20, windowMs: 60000}}]}`. */
export type RuleCreateInput = {
  /** Action on operations that exceed the limits. Default: `{type: REJECT}`. */
  action?: InputMaybe<RuleActionInput>;
  /** Time from which the rule applies. Default: no start. */
  activeFrom?: InputMaybe<Scalars['DateTime']['input']>;
  /** Time until which the rule applies. Default: no end. */
  activeUntil?: InputMaybe<Scalars['DateTime']['input']>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Note for administrators, up to 1000 characters. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Counted fields: `Query.search`, `Query.*`, `*.posts`, or `*` for all. Set either this or `fields`. */
  field?: InputMaybe<Scalars['String']['input']>;
  /** Up to 50 patterns, each as in `field`. They share the counters. Set either this or `field`. */
  fields?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Up to 200 characters. Repetitions within a day change nothing. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** One to eight limits, none for EXEMPT. An operation must fit all of them. */
  limits: Array<RuleLimitInput>;
  /** Conditions on the operations and callers that the rule applies to. Default: all. */
  match?: InputMaybe<RuleMatchInput>;
  /** Unit that the limits of the rule count. Default: `COST`. */
  measure?: InputMaybe<Measure>;
  /** Mode of the rule. Default: `ENFORCE`. Start with `SHADOW` to see which callers it would deny. */
  mode?: InputMaybe<RuleMode>;
  /** Name in denials: 1 to 100 ASCII characters, unique among rules in use. */
  name: Scalars['String']['input'];
  /** Effect on a subscription when the rule denies one of its events. Default: `COMPLETE`. */
  onEventDenied?: InputMaybe<EventPolicy>;
  /** Behavior of the rule while its counters are unavailable. Default: `LOCAL`. */
  onUnavailable?: InputMaybe<OnUnavailable>;
  /** Way in which the limits of the rule count. Default: `EXACT`. */
  precision?: InputMaybe<Precision>;
  /** Among equal scopes, fields and measures, the lowest number wins. 0 to 1000000. Default: 100. */
  priority?: InputMaybe<Scalars['Int']['input']>;
  /** Way in which the Redis servers of several regions enforce the limits of the rule. Default: `CENTRAL`. */
  regionMode?: InputMaybe<RegionMode>;
  /** Content of denials by the rule, instead of the default content. */
  response?: InputMaybe<RuleResponseInput>;
  /** Percentage of tenants, and of callers without one, it applies to. Default: 100. */
  rolloutPercent?: InputMaybe<Scalars['Float']['input']>;
  /** Hours of the week in which the rule applies. Default: all hours. */
  schedule?: InputMaybe<RuleScheduleInput>;
  /** Callers that share the counters of the rule. */
  scope: Scope;
};

/** Kinds of documents, for conditions of rules. */
export type RuleDocument =
  /** Documents of a published version of an app, sent by their id or as a text. */
  | 'REGISTERED'
  /** All other documents. */
  | 'UNREGISTERED';

/** Conditions for rules. A rule must meet all of them. */
export type RuleFilter = {
  /** Whether to list only rules for agents (true), or only other rules (false). Default: both. */
  agents?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only rules whose `match.apps` includes this app. */
  app?: InputMaybe<Scalars['String']['input']>;
  /** Only rules with this value of `match.callers`. */
  callers?: InputMaybe<RuleCallers>;
  /** Only rules with this value of `match.document`. */
  document?: InputMaybe<RuleDocument>;
  /** Only rules with exactly this field pattern, alone or among others. */
  field?: InputMaybe<Scalars['String']['input']>;
  /** Only rules whose `match.keys` includes this prefix of a key. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** Only rules in this mode. */
  mode?: InputMaybe<RuleMode>;
  /** Only rules whose name contains this text, in upper or lower case. */
  nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Whether to list retired rules instead of rules in use. */
  retired?: Scalars['Boolean']['input'];
  /** Only rules with this scope. */
  scope?: InputMaybe<Scope>;
  /** Only rules whose `match.tenants` includes this tenant. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Only rules whose `match.tiers` contains this tier. */
  tier?: InputMaybe<Scalars['String']['input']>;
  /** Only rules whose `match.users` includes this user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** One limit with exactly one algorithm. Example for 20 per minute: `{slidingWindowCounter: {amount: 20, windowMs: 60000}}`. */
export type RuleLimitInput =
  /** An amount for each period of a calendar, such as each month. */
  { calendarWindow: CalendarWindowLimitInput; concurrency?: never; fixedWindow?: never; leakyBucket?: never; slidingWindowCounter?: never; slidingWindowLog?: never; tokenBucket?: never; }
  |  /** A maximum number of operations that run at the same time. */
  { calendarWindow?: never; concurrency: ConcurrencyLimitInput; fixedWindow?: never; leakyBucket?: never; slidingWindowCounter?: never; slidingWindowLog?: never; tokenBucket?: never; }
  |  /** An amount for each fixed window, such as each full minute. */
  { calendarWindow?: never; concurrency?: never; fixedWindow: WindowLimitInput; leakyBucket?: never; slidingWindowCounter?: never; slidingWindowLog?: never; tokenBucket?: never; }
  |  /** A constant rate: operations that arrive faster wait or are denied. */
  { calendarWindow?: never; concurrency?: never; fixedWindow?: never; leakyBucket: BucketLimitInput; slidingWindowCounter?: never; slidingWindowLog?: never; tokenBucket?: never; }
  |  /** An amount for a sliding window, estimated from two counters. */
  { calendarWindow?: never; concurrency?: never; fixedWindow?: never; leakyBucket?: never; slidingWindowCounter: SlidingWindowCounterInput; slidingWindowLog?: never; tokenBucket?: never; }
  |  /** An amount, up to 1000, for a sliding window, exact to the millisecond. */
  { calendarWindow?: never; concurrency?: never; fixedWindow?: never; leakyBucket?: never; slidingWindowCounter?: never; slidingWindowLog: WindowLimitInput; tokenBucket?: never; }
  |  /** A bucket that allows bursts up to its capacity and refills evenly. */
  { calendarWindow?: never; concurrency?: never; fixedWindow?: never; leakyBucket?: never; slidingWindowCounter?: never; slidingWindowLog?: never; tokenBucket: BucketLimitInput; };

/** Conditions on the operations and callers that a rule applies to. An omitted list matches all. */
export type RuleMatchInput = {
  /** Addresses and CIDR blocks: `["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]`. */
  addresses?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Whether the rule applies to agents only: keys of the kind `AGENT`, and clients whose names are in `agentClients`. True, or omitted. */
  agents?: InputMaybe<Scalars['Boolean']['input']>;
  /** Versions of apps that have registered the document: `["1.*"]`. A trailing `*` matches all names that begin with the text before it. Not empty. */
  appVersions?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Names of apps that have registered the document: `["web"]`. A trailing `*` matches all names that begin with the text before it. Not empty. */
  apps?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Whether the rule applies to anonymous or to identified callers only. */
  callers?: InputMaybe<RuleCallers>;
  /** Names of clients. Clients choose these names, so they give no protection. */
  clients?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Kinds of credentials by which callers are identified. Not empty: `[KEY]`. */
  credentials?: InputMaybe<Array<CredentialKind>>;
  /** Whether the rule applies to registered documents only, or to all others only. */
  document?: InputMaybe<RuleDocument>;
  /** Prefixes of API keys, not the keys themselves. A trailing `*` matches all names that begin with the text before it. Not empty. */
  keys?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Names of operations. Clients choose these names, so they give no protection. */
  operationNames?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Types of operations: `[MUTATION]`. */
  operationTypes?: InputMaybe<Array<OperationType>>;
  /** Ids of tenants: `["acme"]`. A trailing `*` matches all names that begin with the text before it. Not empty. */
  tenants?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Names of tiers: `["free"]`. */
  tiers?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Ids of users: `["ann", "test-*"]`. A trailing `*` matches all names that begin with the text before it. Not empty. */
  users?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** Effect of a rule on operations. */
export type RuleMode =
  /** The rule denies operations that exceed its limits. */
  | 'ENFORCE'
  /** The rule is ignored. */
  | 'OFF'
  /** The rule is evaluated and reported, but does not deny. It has its own counters. */
  | 'SHADOW';

/** Content of the denials by a rule, instead of the default content. */
export type RuleResponseInput = {
  /** Value of `extensions.code`, in capitals: `SEARCH_LIMITED`. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Value of `errors.message`, up to 500 characters. */
  message?: InputMaybe<Scalars['String']['input']>;
  /** The HTTP status, 200 to 599. */
  status?: InputMaybe<Scalars['Int']['input']>;
};

/** A retired rule to restore, or a rule to return to an earlier version. */
export type RuleRestoreInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of the rule. Set either this or `name`. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The name of a rule in use. Set either this or `id`. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** A `version` from its history. Default: the version at its retirement. */
  toVersion?: InputMaybe<Scalars['Int']['input']>;
};

/** The rule to retire. Its history stays, and `ruleRestore` can restore it. */
export type RuleRetireInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of the rule. Set either this or `name`. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The name of a rule in use. Set either this or `id`. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** Hours of the week in which a rule applies: `{timeZone: "Europe/Berlin", days: [MON, TUE, WED, THU, FRI], from: "08:00", to: "18:00"}`. */
export type RuleScheduleInput = {
  /** Days on which the hours begin. Default: every day. */
  days?: InputMaybe<Array<Weekday>>;
  /** Start of the hours in local time, as `HH:MM`. Default: `00:00`. */
  from?: InputMaybe<Scalars['String']['input']>;
  /** IANA name of the time zone: `Europe/Berlin`. Default: `UTC`. */
  timeZone?: InputMaybe<Scalars['String']['input']>;
  /** End of the hours, up to `24:00`. Hours that end before they start pass midnight. Default: `24:00`. */
  to?: InputMaybe<Scalars['String']['input']>;
};

/** A new mode of a rule, for all callers or for a share of them. */
export type RuleSetModeInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of the rule. Set either this or `name`. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The new mode of the rule. */
  mode: RuleMode;
  /** The name of a rule in use. Set either this or `id`. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Percentage of tenants, and of callers without one, it applies to. Default: unchanged. */
  rolloutPercent?: InputMaybe<Scalars['Float']['input']>;
};

/** A draft of a rule, and the recorded decisions for its simulation. */
export type RuleSimulateInput = {
  /** Maximum number of callers, and of operations: 1 to 100. */
  first?: Scalars['Int']['input'];
  /** Time range of the decisions, at most a day. Default: the last 24 hours. By default, decisions are stored for a day. */
  range?: InputMaybe<TimeRangeInput>;
  /** The id of the rule that the draft replaces. Default: the draft applies in addition to all rules. */
  replaces?: InputMaybe<Scalars['ID']['input']>;
  /** The name of the rule that the draft replaces. Set either this or `replaces`. */
  replacesName?: InputMaybe<Scalars['String']['input']>;
  /** The draft. The simulation enforces it, independent of its mode. It ignores `comment`, `dryRun` and `idempotencyKey`. */
  rule: RuleCreateInput;
  /** Name in `services`. Default: the API of this process or the only API. */
  service?: InputMaybe<Scalars['String']['input']>;
};

/** Places where a rule can be defined. */
export type RuleSource =
  /** In the code of a server. The rule is read-only here. */
  | 'CODE'
  /** In the database. */
  | 'STORED';

/** A change of a rule. Omitted members stay unchanged. A new `match`, `limits`, `action`, `response` or `schedule` replaces the old one completely. */
export type RuleUpdateInput = {
  /** Action on operations that exceed the limits. */
  action?: InputMaybe<RuleActionInput>;
  /** Time from which the rule applies. Null removes it. */
  activeFrom?: InputMaybe<Scalars['DateTime']['input']>;
  /** Time until which the rule applies. Null removes it. */
  activeUntil?: InputMaybe<Scalars['DateTime']['input']>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Note for administrators; null removes it. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** Counted fields: `Query.search`, `Query.*`, `*.posts`, or `*` for all. It replaces `fields`. A changed pattern starts new counters. */
  field?: InputMaybe<Scalars['String']['input']>;
  /** Up to 50 patterns, each as in `field`. They share the counters. They replace `field`. Changed patterns start new counters. */
  fields?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The id of the rule. Set either this or `name`. */
  id?: InputMaybe<Scalars['ID']['input']>;
  /** The limits. Changed amounts keep the counters. A changed algorithm or window starts new counters and adds a warning. */
  limits?: InputMaybe<Array<RuleLimitInput>>;
  /** Conditions on the operations and callers that the rule applies to; `{}` for all. */
  match?: InputMaybe<RuleMatchInput>;
  /** Unit that the limits of the rule count. A changed unit starts new counters. */
  measure?: InputMaybe<Measure>;
  /** Mode of the rule. */
  mode?: InputMaybe<RuleMode>;
  /** The name of a rule in use. Set either this or `id`. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The new name. Name in denials: 1 to 100 ASCII characters, unique among rules in use. */
  newName?: InputMaybe<Scalars['String']['input']>;
  /** Effect on a subscription when the rule denies one of its events. */
  onEventDenied?: InputMaybe<EventPolicy>;
  /** Behavior of the rule while its counters are unavailable. */
  onUnavailable?: InputMaybe<OnUnavailable>;
  /** Way in which the limits of the rule count. A changed value keeps the counters. */
  precision?: InputMaybe<Precision>;
  /** Among equal scopes, fields and measures, the lowest number wins. */
  priority?: InputMaybe<Scalars['Int']['input']>;
  /** Way in which the Redis servers of several regions enforce the limits of the rule. A changed value keeps the counters. */
  regionMode?: InputMaybe<RegionMode>;
  /** Content of denials by the rule; null restores the default content. */
  response?: InputMaybe<RuleResponseInput>;
  /** Percentage of tenants, and of callers without one, it applies to. */
  rolloutPercent?: InputMaybe<Scalars['Float']['input']>;
  /** Hours of the week in which the rule applies. Null removes them. */
  schedule?: InputMaybe<RuleScheduleInput>;
  /** Callers that share the counters of the rule. A changed scope starts new counters. */
  scope?: InputMaybe<Scope>;
};

/** Order of fields. */
export type SchemaFieldOrder =
  /** Sorted by coordinate. */
  | 'COORDINATE'
  /** Most expensive first. Fields without a fixed cost (`cost` is null) come first. */
  | 'COST';

/** Options of a schema refresh. */
export type SchemaRefreshInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
};

/** Callers that share a counter. */
export type Scope =
  /** All requests with one API key. */
  | 'API_KEY'
  /** All callers. */
  | 'GLOBAL'
  /** All requests from one address. For IPv6: one /64, or the prefix length in `ipv6Prefix`. */
  | 'IP'
  /** The users and keys of one tenant. */
  | 'TENANT'
  /** One principal: the user, else the API key, else the address. */
  | 'USER'
  /** Each pair of a principal and an address. Callers without an address have no pair. */
  | 'USER_AND_IP';

/** Source of the size of a list. */
export type SizeSource =
  /** The arguments of the field. If they are omitted, `assumedSize`. */
  | 'ARGUMENTS'
  /** An annotation of the schema. */
  | 'ASSUMED_SIZE'
  /** No source: the size is a guess. `guessedPrices` shows which annotation to add. */
  | 'DEFAULT'
  /** A parent field, such as the field that returns the connection. */
  | 'PARENT';

/** Parameters of a sliding window. */
export type SlidingWindowCounterInput = {
  /** Amount that each window admits. */
  amount: Scalars['Int']['input'];
  /** Whether denied operations count too, for rules against abuse. */
  countDenied?: InputMaybe<Scalars['Boolean']['input']>;
  /** Any name, to separate two limits with the same algorithm and window. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** Whether the limit is exact: no window admits more than `amount`. */
  strict?: InputMaybe<Scalars['Boolean']['input']>;
  /** Length of a window in milliseconds: a minute is 60000. */
  windowMs: Scalars['SafeInt']['input'];
};

/** Transports of the events of a subscription. */
export type StreamTransport =
  /** Multipart subscriptions of Apollo. */
  | 'MULTIPART'
  /** GraphQL over server-sent events. */
  | 'SERVER_SENT_EVENTS'
  /** A WebSocket with the protocol of graphql-ws. */
  | 'WEBSOCKET';

/** A user or a tenant, and its new tier. A subject that is not stored yet is created. */
export type SubjectAssignTierInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Name of the tier; null: the tier of its tenant, else the default tier. */
  tier?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Default: the tenant itself. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** New tiers of many users and tenants. Tollgate applies all of them, or none. */
export type SubjectAssignTiersInput = {
  /** The assignments, 1 to 500, each for a different user or tenant. `userErrors` identify them by index: `assignments.3.tier`. */
  assignments: Array<TierAssignmentInput>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
};

/** A user or a tenant that is not stored yet. `subjectAssignTier` also creates subjects, but it changes the tier of existing ones. */
export type SubjectCreateInput = {
  /** First day of a billing period, as `YYYY-MM-DD`, for calendar windows with the anchor `SUBJECT`. Not for a user of a tenant. Default: none. */
  billingAnchor?: InputMaybe<Scalars['String']['input']>;
  /** Bucket of the subject that replaces the bucket of its tier. */
  bucket?: InputMaybe<BucketInput>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Time at which the bucket of the tier applies again. Default: never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Up to 200 characters. Repetitions within a day change nothing. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Name of the tier. Default: the tier of its tenant, or else the default tier. */
  tier?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Default: the tenant itself. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** A stored user or tenant to delete. A deleted user is on the tier of its tenant, else on the default tier. Revoke its valid API keys first. */
export type SubjectDeleteInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Default: the tenant itself. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** A user, or a tenant with all its users, to disable or to enable. */
export type SubjectDisableInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** `true` disables the user or tenant, `false` enables it. */
  disabled?: Scalars['Boolean']['input'];
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Default: the tenant itself. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Conditions for users and tenants. A user or tenant must meet all of them. */
export type SubjectFilter = {
  /** Only disabled ones; `false`: only enabled ones. */
  disabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only those whose id begins with this text. */
  idStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Only those with a bucket that replaces the bucket of the tier and has not expired; `false`: only those without. */
  overridden?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only this tenant and its users. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Only those with this assigned tier. */
  tier?: InputMaybe<Scalars['String']['input']>;
};

/** A caller: a user, a tenant, an address, or an API key, which implies its user and tenant. */
export type SubjectInput = {
  /** The prefix of an API key, not the key itself. Omit `user` and `tenant`: the key implies them. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** An IPv4 or IPv6 address. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** The caller whose quotas to reset: `{user: "42"}`, `{apiKey: "tg_..."}` with the prefix, `{ip: "192.0.2.7"}`, or a tenant. The reset does not change counters that other callers share, such as the counters of the tenant of a user. */
export type SubjectResetQuotaInput = {
  /** The prefix of an API key. The reset applies to its own counters and those of its user. Omit `user` and `tenant`. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** An IPv4 or IPv6 address, for callers without a credential. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. Without `user`, the reset applies to the counters that all users of the tenant share. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** A tenant, or a user without a tenant, and its billing anchor. The anchor of a tenant applies to all its users. */
export type SubjectSetBillingAnchorInput = {
  /** First day of a billing period, as `YYYY-MM-DD`, for calendar windows with the anchor `SUBJECT`. Null removes it. */
  billingAnchor?: InputMaybe<Scalars['String']['input']>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Default: the tenant itself. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** A user or a tenant, and the bucket that replaces the bucket of its tier, temporarily or permanently. */
export type SubjectSetOverrideInput = {
  /** The bucket that replaces the bucket of the tier. Spent tokens stay spent. Null restores the bucket of the tier. */
  bucket?: InputMaybe<BucketInput>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** Time at which the bucket of the tier applies again. Default: never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Default: the tenant itself. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** The new tier of one user or tenant. */
export type TierAssignmentInput = {
  /** The `version` of the subject that the change is based on. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Name of the tier; null: the tier of its tenant, else the default tier. */
  tier?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. Default: the tenant itself. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** A new tier. */
export type TierCreateInput = {
  /** Detail on cost and limits in the responses to its callers. */
  answer?: AnswerDetail;
  /** Budget that applies in addition to the bucket; null for none. Default: none. */
  budget?: InputMaybe<CalendarBudgetInput>;
  /** Capacity in tokens: the maximum that can be spent at once. Null for no bucket. */
  capacity?: InputMaybe<Scalars['Int']['input']>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Display name. Default: the name. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Up to 200 characters. Repetitions within a day change nothing. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Whether this becomes the default tier: the tier of callers without an assigned tier. */
  isDefault?: Scalars['Boolean']['input'];
  /** Maximum cost of one operation, in tokens; null without a maximum. */
  maxCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum field cost of one operation; null without a maximum. */
  maxFieldCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of objects of one operation; null without a maximum. */
  maxNodesPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum type cost of one operation; null without a maximum. */
  maxTypeCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Monthly price. Default: none is published. */
  monthlyPrice?: InputMaybe<PriceInput>;
  /** Permanent identifier of the tier, even after its retirement: 1 to 64 letters, digits and `_` `.` `-`. */
  name: Scalars['String']['input'];
  /** Whole tokens that are refilled evenly in each period. Required with a capacity. */
  refillAmount?: InputMaybe<Scalars['Int']['input']>;
  /** Period of the refill in milliseconds: 100 an hour is 100 per 3600000. Default: 1000. */
  refillPeriodMs?: InputMaybe<Scalars['SafeInt']['input']>;
};

/** The tier to retire. */
export type TierRetireInput = {
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** Name of the tier. It must not be the default tier, and no rule, user or tenant may use it. */
  name: Scalars['String']['input'];
};

/** Sources of the values of a tier. Tiers are always stored, and this API can change them. */
export type TierSource =
  /** The code of a server. A change through this API replaces these values permanently. */
  | 'CODE'
  /** This API, or code that no server runs any longer. */
  | 'STORED';

/** A change of a tier. Omitted members stay unchanged. Null clears a member that can be empty. */
export type TierUpdateInput = {
  /** Detail on cost and limits in the responses to its callers. */
  answer?: InputMaybe<AnswerDetail>;
  /** Budget that applies in addition to the bucket; null for none. */
  budget?: InputMaybe<CalendarBudgetInput>;
  /** Capacity in tokens: the maximum that can be spent at once. Null removes the bucket. Spent tokens stay spent. */
  capacity?: InputMaybe<Scalars['Int']['input']>;
  /** Reason, stored with the change; up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** Display name. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** Whether to show the effects of the change without making it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Expected version. Any other version causes `STALE_VERSION`. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** True makes this tier the default tier. The current default tier does not accept false. */
  isDefault?: InputMaybe<Scalars['Boolean']['input']>;
  /** Maximum cost of one operation, in tokens; null without a maximum. */
  maxCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum field cost of one operation; null without a maximum. */
  maxFieldCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of objects of one operation; null without a maximum. */
  maxNodesPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum type cost of one operation; null without a maximum. */
  maxTypeCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Monthly price; null if none is published. */
  monthlyPrice?: InputMaybe<PriceInput>;
  /** Name of the tier to change. */
  name: Scalars['String']['input'];
  /** Whole tokens that are refilled evenly in each period. */
  refillAmount?: InputMaybe<Scalars['Int']['input']>;
  /** Period of the refill in milliseconds: 100 an hour is 100 per 3600000. */
  refillPeriodMs?: InputMaybe<Scalars['SafeInt']['input']>;
};

/** A time range; `to` is exclusive. Tollgate extends it to whole buckets in UTC, and the last bucket can be incomplete. By default, buckets are minutes for up to three hours, hours for up to eight days, and days for longer ranges. Minutes are stored for three days and hours for 35 days, so older ranges use hours or days. */
export type TimeRangeInput = {
  /** Start of the range. */
  from: Scalars['DateTime']['input'];
  /** End of the range, exclusive. Default: now. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Lengths of the buckets of usage. Buckets begin at whole minutes, hours and days in UTC. */
export type UsageBucket =
  /** For ranges up to 400 days. */
  | 'DAY'
  /** For ranges up to 31 days and an hour, the longest month in any time zone. */
  | 'HOUR'
  /** For ranges up to 25 hours, the longest day in any time zone. */
  | 'MINUTE';

/** Conditions for usage. The usage must meet all of them. */
export type UsageFilter = {
  /** The prefix of an API key. Matches only callers without a user. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** Coordinate of a field, such as `Query.search`; only when grouped by FIELD. */
  field?: InputMaybe<Scalars['String']['input']>;
  /** Name of an integration, such as `apollo-router`; only when grouped by INTEGRATION. */
  integration?: InputMaybe<Scalars['String']['input']>;
  /** An address. Matches only callers without a user or an API key. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** Name of the operations. */
  operation?: InputMaybe<Scalars['String']['input']>;
  /** Name of a region; only when grouped by REGION. */
  region?: InputMaybe<Scalars['String']['input']>;
  /** Name of a rule, or `tier:NAME`; only when grouped by RULE. */
  rule?: InputMaybe<Scalars['String']['input']>;
  /** The id of a tenant; with `user`, the tenant of that user. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Name of a tier. */
  tier?: InputMaybe<Scalars['String']['input']>;
  /** The id of a user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Groupings of usage. FIELD, RULE, INTEGRATION and REGION cannot be combined with others; the others can. */
export type UsageGroup =
  /** The user, else the API key, else the address. */
  | 'CALLER'
  /** The fields that operations selected. An operation counts in each of its fields. */
  | 'FIELD'
  /** The integration of the decision service that asked for the decision: see `Usage.integration`. */
  | 'INTEGRATION'
  /** Type and name of the operation. */
  | 'OPERATION'
  /** The region of the servers that decided, which the setting `TOLLGATE_REGION` names. */
  | 'REGION'
  /** The rules that applied. An operation counts in each of its rules. */
  | 'RULE'
  /** The tenant of the caller. */
  | 'TENANT'
  /** Tier of the caller at that time. */
  | 'TIER';

/** Measures that order a list. */
export type UsageMeasure =
  /** The actual cost. */
  | 'ACTUAL_COST'
  /** The number of denied operations. */
  | 'DENIED'
  /** The estimated cost. */
  | 'ESTIMATED_COST'
  /** The number of operations, admitted and denied. */
  | 'REQUESTS';

/** Types of operations, and of requests without an operation. */
export type UsageOperationType =
  /** A mutation, which changes data. */
  | 'MUTATION'
  /** Operations that are counted together, because too many different names arrived in one minute. */
  | 'OTHER'
  /** A query, which reads data. */
  | 'QUERY'
  /** A subscription, which receives events. */
  | 'SUBSCRIPTION'
  /** Requests that paid the flat fee, such as for a syntax error or an unknown field. */
  | 'UNPRICED';

/** Reasons for the rejection of an input. */
export type UserErrorCode =
  /** An object that the input creates already exists. */
  | 'ALREADY_EXISTS'
  /** The object is defined in the code of a server. Change it there. */
  | 'DEFINED_IN_CODE'
  /** A value is invalid. The message describes the expected value. */
  | 'INVALID'
  /** Other objects use the object. The message names them. */
  | 'IN_USE'
  /** A different request already used the same `idempotencyKey`. */
  | 'KEY_REUSED'
  /** An object that the input names does not exist. */
  | 'NOT_FOUND'
  /** The object changed after the expected version. The payload contains its current state. */
  | 'STALE_VERSION';

/** Conditions for violations. A violation must meet all of them. */
export type ViolationFilter = {
  /** Only violations by the API key with this prefix, for callers without a user. */
  apiKey?: InputMaybe<Scalars['String']['input']>;
  /** Only violations by this address, for callers without a user or an API key. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** Only violations of this rule, or `tier:NAME`. */
  rule?: InputMaybe<Scalars['String']['input']>;
  /** Only violations by the users and keys of this tenant. */
  tenant?: InputMaybe<Scalars['String']['input']>;
  /** Only violations by this user. */
  user?: InputMaybe<Scalars['String']['input']>;
};

/** Days of the week. */
export type Weekday =
  /** Friday. */
  | 'FRI'
  /** Monday. */
  | 'MON'
  /** Saturday. */
  | 'SAT'
  /** Sunday. */
  | 'SUN'
  /** Thursday. */
  | 'THU'
  /** Tuesday. */
  | 'TUE'
  /** Wednesday. */
  | 'WED';

/** Parameters of a window. */
export type WindowLimitInput = {
  /** Amount that each window admits. */
  amount: Scalars['Int']['input'];
  /** Whether denied operations count too, for rules against abuse. */
  countDenied?: InputMaybe<Scalars['Boolean']['input']>;
  /** Any name, to separate two limits with the same algorithm and window. */
  key?: InputMaybe<Scalars['String']['input']>;
  /** Length of a window in milliseconds: a minute is 60000. */
  windowMs: Scalars['SafeInt']['input'];
};

export type ApisQueryVariables = Exact<{ [key: string]: never; }>;


export type ApisQuery = { __typename?: 'Query', ownApi?: { __typename?: 'OwnApi', service?: string | null, upstream?: string | null } | null, services: Array<{ __typename?: 'Service', name: string }> };

export type SearchQueryVariables = Exact<{
  text: Scalars['String']['input'];
  caller: UsageFilter;
  day: TimeRangeInput;
}>;


export type SearchQuery = { __typename?: 'Query', subjects: { __typename?: 'SubjectConnection', nodes: Array<{ __typename?: 'Subject', caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null }, tier?: { __typename?: 'Tier', name: string } | null }> }, callersWithTraffic: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> }, rules: { __typename?: 'RuleConnection', nodes: Array<{ __typename?: 'Rule', name: string, field: string, mode: RuleMode }> }, operation: { __typename?: 'TopOperationConnection', nodes: Array<{ __typename?: 'TopOperation', operation: { __typename?: 'UsageOperation', name?: string | null, type: UsageOperationType } }> } };

export type SearchedOperationsQueryVariables = Exact<{
  day: TimeRangeInput;
}>;


export type SearchedOperationsQuery = { __typename?: 'Query', topOperations: { __typename?: 'TopOperationConnection', nodes: Array<{ __typename?: 'TopOperation', operation: { __typename?: 'UsageOperation', name?: string | null, type: UsageOperationType } }> } };

export type CallersQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: UsageFilter;
  orderBy: UsageMeasure;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type CallersQuery = { __typename?: 'Query', topCallers: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', actualCost: number, estimatedCost: number, requests: number, denied: number, shadowDenied: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type SharedAddressesQueryVariables = Exact<{ [key: string]: never; }>;


export type SharedAddressesQuery = { __typename?: 'Query', addresses: { __typename?: 'SharedAddresses', addresses: Array<{ __typename?: 'SharedAddress', address: string, users: number, isEstimate: boolean, exemptions: Array<{ __typename?: 'AddressExemption', name: string, field: string, measure: Measure }> }> } };

export type CallerNowQueryVariables = Exact<{
  who: SubjectInput;
  mostLimits?: InputMaybe<Scalars['Int']['input']>;
}>;


export type CallerNowQuery = { __typename?: 'Query', quota?: { __typename?: 'Quota', disabled: boolean, limitCount: number, tier: { __typename?: 'Tier', name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null }, limits: Array<{ __typename?: 'LimitQuota', rule: string, field: string, scope: Scope, limit: number, wholeLimit: number, region?: string | null, remaining: number, resetAt: string, pool: string, used: number, period?: { __typename?: 'QuotaPeriod', every: CalendarPeriod, timeZone: string, startsAt: string, amount: number, overage: number, carriedOver: number } | null }> } | null };

export type TierBucketFragment = { __typename?: 'Tier', name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null };

export type StoredCallerQueryVariables = Exact<{
  user?: InputMaybe<Scalars['String']['input']>;
  tenant?: InputMaybe<Scalars['String']['input']>;
  isUserOfTenant: Scalars['Boolean']['input'];
}>;


export type StoredCallerQuery = { __typename?: 'Query', subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, billingAnchor?: string | null, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, refillAmount: number, refillPeriodMs: number, expiresAt?: string | null } | null, apiKeys: { __typename?: 'ApiKeyConnection', nodes: Array<{ __typename?: 'ApiKey', id: string, version: number, name: string, kind: ApiKeyKind, fields?: Array<string> | null, scopes: Array<string>, prefix: string, createdAt: string, lastUsedAt?: string | null, expiresAt?: string | null, revokedAt?: string | null, budget?: { __typename?: 'ApiKeyBudget', capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, calendar?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null } | null }> }, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', id: string, action: ChangeAction, actor: string, changedAt: string, comment?: string | null, entity: ChangedEntity, key: string, node?:
          | { __typename?: 'AdminToken', name: string }
          | { __typename?: 'ApiKey' }
          | { __typename?: 'Change' }
          | { __typename?: 'ConsoleSession', name: string }
          | { __typename?: 'DocumentVersion' }
          | { __typename?: 'Rule', name: string }
          | { __typename?: 'Subject', caller: { __typename?: 'Caller', name?: string | null } }
          | { __typename?: 'Tier' }
         | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }> } } | null, tenantAsWhole?: { __typename?: 'Subject', billingAnchor?: string | null, tier?: { __typename?: 'Tier', name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null } | null } | null, tiers: { __typename?: 'TierConnection', nodes: Array<{ __typename?: 'Tier', isDefault: boolean, name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null }> } };

export type CallerSeenQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: UsageFilter;
}>;


export type CallerSeenQuery = { __typename?: 'Query', usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string }> } };

export type ResetQuotaMutationVariables = Exact<{
  input: SubjectResetQuotaInput;
}>;


export type ResetQuotaMutation = { __typename?: 'Mutation', subjectResetQuota?: { __typename?: 'SubjectResetQuotaPayload', warnings: Array<string>, quota?: { __typename?: 'Quota', limits: Array<{ __typename?: 'LimitQuota', rule: string, field: string, limit: number }> } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type DisableCallerMutationVariables = Exact<{
  input: SubjectDisableInput;
}>;


export type DisableCallerMutation = { __typename?: 'Mutation', subjectDisable?: { __typename?: 'SubjectPayload', subject?: { __typename?: 'Subject', version: number } | null, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type OverrideCallerMutationVariables = Exact<{
  input: SubjectSetOverrideInput;
}>;


export type OverrideCallerMutation = { __typename?: 'Mutation', subjectSetOverride?: { __typename?: 'SubjectPayload', subject?: { __typename?: 'Subject', version: number } | null, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type SetBillingAnchorMutationVariables = Exact<{
  input: SubjectSetBillingAnchorInput;
}>;


export type SetBillingAnchorMutation = { __typename?: 'Mutation', subjectSetBillingAnchor?: { __typename?: 'SubjectPayload', subject?: { __typename?: 'Subject', version: number } | null, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type AssignTierMutationVariables = Exact<{
  input: SubjectAssignTierInput;
}>;


export type AssignTierMutation = { __typename?: 'Mutation', subjectAssignTier?: { __typename?: 'SubjectPayload', subject?: { __typename?: 'Subject', version: number } | null, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type StoreCallerMutationVariables = Exact<{
  input: SubjectCreateInput;
}>;


export type StoreCallerMutation = { __typename?: 'Mutation', subjectCreate?: { __typename?: 'SubjectPayload', subject?: { __typename?: 'Subject', version: number } | null, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type MintKeyMutationVariables = Exact<{
  input: ApiKeyCreateInput;
}>;


export type MintKeyMutation = { __typename?: 'Mutation', apiKeyCreate?: { __typename?: 'ApiKeyPayload', secret?: string | null, warnings: Array<string>, apiKey?: { __typename?: 'ApiKey', prefix: string } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } | null };

export type UpdateKeyMutationVariables = Exact<{
  input: ApiKeyUpdateInput;
}>;


export type UpdateKeyMutation = { __typename?: 'Mutation', apiKeyUpdate?: { __typename?: 'ApiKeyPayload', warnings: Array<string>, apiKey?: { __typename?: 'ApiKey', prefix: string } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } | null };

export type RotateKeyMutationVariables = Exact<{
  input: ApiKeyRotateInput;
}>;


export type RotateKeyMutation = { __typename?: 'Mutation', apiKeyRotate?: { __typename?: 'ApiKeyPayload', secret?: string | null, apiKey?: { __typename?: 'ApiKey', prefix: string } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } | null };

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


export type DenialsQuery = { __typename?: 'Query', denials: { __typename?: 'DenialConnection', nodes: Array<{ __typename?: 'Denial', at: string, code?: DenialCode | null, degraded: boolean, field?: string | null, integration?: string | null, region?: string | null, limit?: number | null, remaining?: number | null, requestedCost: number, charge?: number | null, retryAfterMs?: number | null, ruleName: string, service?: string | null, shadow: boolean, tier: string, variables?: unknown | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null }, document?: { __typename?: 'DeniedDocument', id: string } | null, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null }, registeredDocument?: { __typename?: 'RegisteredDocumentName', app: string, version: string, documentId: string } | null, rule?: { __typename?: 'Rule', measure: Measure } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type DeniedGroupsQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: ViolationFilter;
}>;


export type DeniedGroupsQuery = { __typename?: 'Query', violations: { __typename?: 'ViolationConnection', nodes: Array<{ __typename?: 'Violation', ruleName: string, denied: number, shadowDenied: number, share: number, lastAt?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null }, operations: Array<{ __typename?: 'DeniedOperation', stored: number, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null } }> }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean } } };

export type DenialsOverTimeQueryVariables = Exact<{
  range: TimeRangeInput;
  bucket: UsageBucket;
  groupBy: Array<UsageGroup> | UsageGroup;
  filter: UsageFilter;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type DenialsOverTimeQuery = { __typename?: 'Query', usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, denied: number, shadowDenied?: number | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type DocumentVersionsQueryVariables = Exact<{
  filter: DocumentVersionFilter;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type DocumentVersionsQuery = { __typename?: 'Query', documentVersions: { __typename?: 'DocumentVersionConnection', nodes: Array<{ __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, pushedAt: string, uses: number, lastUsedAt?: string | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type DocumentVersionInFullQueryVariables = Exact<{
  app: Scalars['String']['input'];
  version: Scalars['String']['input'];
}>;


export type DocumentVersionInFullQuery = { __typename?: 'Query', documentVersion?: { __typename?: 'DocumentVersion', bytes: number, pushedBy: string, publishedAt?: string | null, retiredAt?: string | null, id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, pushedAt: string, uses: number, lastUsedAt?: string | null, callers: Array<{ __typename?: 'DocumentVersionCaller', uses: number, lastUsedAt: string, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }>, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', id: string, action: ChangeAction, actor: string, changedAt: string, comment?: string | null, entity: ChangedEntity, key: string, node?:
          | { __typename?: 'AdminToken', name: string }
          | { __typename?: 'ApiKey' }
          | { __typename?: 'Change' }
          | { __typename?: 'ConsoleSession', name: string }
          | { __typename?: 'DocumentVersion' }
          | { __typename?: 'Rule', name: string }
          | { __typename?: 'Subject', caller: { __typename?: 'Caller', name?: string | null } }
          | { __typename?: 'Tier' }
         | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }> } } | null };

export type DocumentsOfVersionQueryVariables = Exact<{
  app: Scalars['String']['input'];
  version: Scalars['String']['input'];
  filter: RegisteredDocumentFilter;
  service?: InputMaybe<Scalars['String']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type DocumentsOfVersionQuery = { __typename?: 'Query', documentVersion?: { __typename?: 'DocumentVersion', documents: { __typename?: 'RegisteredDocumentConnection', nodes: Array<{ __typename?: 'RegisteredDocument', documentId: string, text: string, operationName?: string | null, operationType: OperationType, uses: number, lastUsedAt?: string | null, price: { __typename?: 'DocumentPrice', worstCase?: number | null, unbounded: Array<string>, errors: Array<string> } }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } } | null };

export type BrokenDocumentsQueryVariables = Exact<{
  service?: InputMaybe<Scalars['String']['input']>;
}>;


export type BrokenDocumentsQuery = { __typename?: 'Query', brokenDocuments: { __typename?: 'BrokenDocuments', isComplete: boolean, checked: number, count: number, documents: Array<{ __typename?: 'BrokenDocument', app: string, documentId: string, versions: Array<string>, operationName?: string | null, error: string }> } };

export type PublishVersionMutationVariables = Exact<{
  input: DocumentVersionPublishInput;
}>;


export type PublishVersionMutation = { __typename?: 'Mutation', documentVersionPublish?: { __typename?: 'DocumentVersionPayload', userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type RetireVersionMutationVariables = Exact<{
  input: DocumentVersionRetireInput;
}>;


export type RetireVersionMutation = { __typename?: 'Mutation', documentVersionRetire?: { __typename?: 'DocumentVersionPayload', userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type VersionFactsFragment = { __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, pushedAt: string, uses: number, lastUsedAt?: string | null };

export type FieldDocsQueryVariables = Exact<{
  startsWith: Scalars['String']['input'];
  service?: InputMaybe<Scalars['String']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type FieldDocsQuery = { __typename?: 'Query', schemaFields: { __typename?: 'SchemaFieldConnection', nodes: Array<{ __typename?: 'SchemaField', coordinate: string, type: string, weight?: number | null, typeWeight?: number | null, callCost?: number | null, itemCost: number, isComputed: boolean, sizeSource?: SizeSource | null, isSizeInferred: boolean, sizeArguments: Array<string>, assumedSize?: number | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type ExplainQueryVariables = Exact<{
  input: CostExplainInput;
}>;


export type ExplainQuery = { __typename?: 'Query', costExplain: { __typename?: 'CostExplainPayload', explanation?: { __typename?: 'CostExplanation', cost: number, nodes: number, typeCost: number, fieldCost: number, tree?: unknown | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } };

export type DeniedDocumentQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type DeniedDocumentQuery = { __typename?: 'Query', deniedDocument?: { __typename?: 'DeniedDocument', text: string } | null };

export type PriceByTierQueryVariables = Exact<{ [key: string]: never; }>;


export type PriceByTierQuery = { __typename?: 'Query', tiers: { __typename?: 'TierConnection', nodes: Array<{ __typename?: 'Tier', name: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, isDefault: boolean, retiredAt?: string | null }> } };

export type PreviewQueryVariables = Exact<{
  input: ChargePreviewInput;
}>;


export type PreviewQuery = { __typename?: 'Query', chargePreview: { __typename?: 'ChargePreviewPayload', preview?: { __typename?: 'ChargePreview', verdict: PreviewVerdict, deniedBy?: string | null, retryAfterMs?: number | null, tier: string, limits: Array<{ __typename?: 'PreviewedLimit', rule: string, scope: Scope, measure: Measure, field: string, mode: RuleMode, cost: number, limit: number, wholeLimit: number, region?: string | null, remaining: number, wouldDeny: boolean, resetAt: string }> } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } };

export type SchemaSdlQueryVariables = Exact<{
  service?: InputMaybe<Scalars['String']['input']>;
}>;


export type SchemaSdlQuery = { __typename?: 'Query', schemaSdl: string };

export type ExportPreviewQueryVariables = Exact<{
  range: TimeRangeInput;
  bucket?: InputMaybe<UsageBucket>;
  groupBy: Array<UsageGroup> | UsageGroup;
  filter: UsageFilter;
}>;


export type ExportPreviewQuery = { __typename?: 'Query', usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, tenant?: string | null, tier?: string | null, field?: string | null, rule?: string | null, integration?: string | null, region?: string | null, requests: number, denied: number, estimatedCost: number, actualCost: number, caller?: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } | null, operation?: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean } } };

export type SchemaFieldsQueryVariables = Exact<{
  startsWith?: InputMaybe<Scalars['String']['input']>;
  service?: InputMaybe<Scalars['String']['input']>;
  orderBy: SchemaFieldOrder;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type SchemaFieldsQuery = { __typename?: 'Query', schemaFields: { __typename?: 'SchemaFieldConnection', totalCount?: number | null, nodes: Array<{ __typename?: 'SchemaField', coordinate: string, type: string, weight?: number | null, typeWeight?: number | null, isComputed: boolean, callCost?: number | null, itemCost: number, cost?: number | null, sizeSource?: SizeSource | null, isSizeInferred: boolean, sizeArguments: Array<string>, assumedSize?: number | null, rules: Array<{ __typename?: 'Rule', name: string, mode: RuleMode, rolloutPercent: number, field: string }> }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type TopFieldsQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: UsageFilter;
  orderBy: UsageMeasure;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type TopFieldsQuery = { __typename?: 'Query', topFields: { __typename?: 'TopFieldConnection', nodes: Array<{ __typename?: 'TopField', field: string, requests: number, denied: number, estimatedCalls: number, actualCalls: number, estimatedCost: number, actualCost: number, share: number }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type InaccuratePricesQueryVariables = Exact<{
  range: TimeRangeInput;
  service?: InputMaybe<Scalars['String']['input']>;
}>;


export type InaccuratePricesQuery = { __typename?: 'Query', fieldAccuracy: Array<{ __typename?: 'FieldAccuracy', field: string, requests: number, estimatedCost: number, actualCost: number, estimatedCostPerCall?: number | null, actualCostPerCall?: number | null, assumedSize?: number | null, suggestedAssumedSize?: number | null, suggestedWeight?: number | null }>, guessedPrices: Array<{ __typename?: 'GuessedPrice', coordinate: string, message: string }> };

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
    | { __typename?: 'DocumentVersion' }
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
        | { __typename?: 'DocumentVersion' }
        | { __typename?: 'Rule', name: string }
        | { __typename?: 'Subject', caller: { __typename?: 'Caller', name?: string | null } }
        | { __typename?: 'Tier' }
       | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type OpenStreamsQueryVariables = Exact<{
  filter: OpenStreamFilter;
}>;


export type OpenStreamsQuery = { __typename?: 'Query', openStreams: { __typename?: 'OpenStreamConnection', totalCount: number, processes: number, nodes: Array<{ __typename?: 'OpenStream', id: string, kind: OpenStreamKind, operation?: string | null, client?: string | null, transport?: StreamTransport | null, since: string, events: number, cost: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> } };

export type EndStreamsMutationVariables = Exact<{
  input: OpenStreamsEndInput;
}>;


export type EndStreamsMutation = { __typename?: 'Mutation', openStreamsEnd?: { __typename?: 'OpenStreamsEndPayload', ended?: number | null, userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type OperationsQueryVariables = Exact<{
  range: TimeRangeInput;
  filter: UsageFilter;
  orderBy: UsageMeasure;
  registered?: InputMaybe<Scalars['Boolean']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type OperationsQuery = { __typename?: 'Query', topOperations: { __typename?: 'TopOperationConnection', nodes: Array<{ __typename?: 'TopOperation', requests: number, denied: number, estimatedCost: number, actualCost: number, share: number, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null }, documents: Array<{ __typename?: 'RegisteredDocumentName', app: string, version: string, documentId: string }>, spread?: { __typename?: 'OperationSpread', decisions: number, p50Cost: number, p95Cost: number, p95DurationMs: number } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

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


export type OverviewTopQuery = { __typename?: 'Query', topCallers: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', actualCost: number, requests: number, denied: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> }, topIntegrations: { __typename?: 'TopIntegrationConnection', nodes: Array<{ __typename?: 'TopIntegration', integration?: string | null, actualCost: number, requests: number, denied: number, share: number }> }, topRegions: { __typename?: 'TopRegionConnection', nodes: Array<{ __typename?: 'TopRegion', region?: string | null, actualCost: number, requests: number, denied: number, share: number }> }, violations: { __typename?: 'ViolationConnection', nodes: Array<{ __typename?: 'Violation', ruleName: string, denied: number, shadowDenied: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> } };

export type EarlierUsageQueryVariables = Exact<{
  minutes: TimeRangeInput;
  hours: TimeRangeInput;
}>;


export type EarlierUsageQuery = { __typename?: 'Query', minutes: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string }> }, hours: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string }> } };

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


export type LiveTrafficSubscription = { __typename?: 'Subscription', liveTraffic: { __typename?: 'LiveTraffic', time: string, periodMs: number, admitted: number, throttled: number, maxCostExceeded: number, unavailable: number, degraded: number, cost: number, processes: number, hotCallers: Array<{ __typename?: 'HotCaller', decisionsPerSecond: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }>, integrations: Array<{ __typename?: 'LiveIntegration', integration?: string | null, decisions: number }> } };

export type DemoTrafficQueryVariables = Exact<{ [key: string]: never; }>;


export type DemoTrafficQuery = { __typename?: 'Query', demoTraffic?: { __typename?: 'DemoTraffic', isOn: boolean } | null };

export type SetDemoTrafficMutationVariables = Exact<{
  isOn: Scalars['Boolean']['input'];
}>;


export type SetDemoTrafficMutation = { __typename?: 'Mutation', demoTrafficSet: { __typename?: 'DemoTraffic', isOn: boolean } };

export type RulesQueryVariables = Exact<{
  filter: RuleFilter;
  day: TimeRangeInput;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type RulesQuery = { __typename?: 'Query', rules: { __typename?: 'RuleConnection', nodes: Array<{ __typename?: 'Rule', id: string, name: string, description?: string | null, field: string, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, source: RuleSource, service?: string | null, retiredAt?: string | null, denied: number, shadowDenied: number, neverApplies: boolean, appliesNow: boolean, limits: Array<
        | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, countDenied?: boolean | null, key?: string | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
      > }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type RuleInFullQueryVariables = Exact<{
  id?: InputMaybe<Scalars['ID']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  day: TimeRangeInput;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type RuleInFullQuery = { __typename?: 'Query', rule?: { __typename?: 'Rule', appliesNow: boolean, nextChangeAt?: string | null, warnings: Array<string>, denied: number, shadowDenied: number, id: string, name: string, description?: string | null, version: number, field: string, fields: Array<string>, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, regionMode: RegionMode, onEventDenied: EventPolicy, source: RuleSource, service?: string | null, retiredAt?: string | null, activeFrom?: string | null, activeUntil?: string | null, inRegion?: { __typename?: 'RuleInRegion', region: string, limits: Array<number> } | null, violations: { __typename?: 'ViolationConnection', nodes: Array<{ __typename?: 'Violation', denied: number, shadowDenied: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> }, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', id: string, action: ChangeAction, actor: string, changedAt: string, comment?: string | null, after?: unknown | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } }, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, schedule?: { __typename?: 'RuleSchedule', timeZone: string, days?: Array<Weekday> | null, from: string, to: string } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, agents?: boolean | null, appVersions?: Array<string> | null, apps?: Array<string> | null, callers?: RuleCallers | null, clients: Array<string>, credentials?: Array<CredentialKind> | null, document?: RuleDocument | null, keys?: Array<string> | null, operationNames: Array<string>, operationTypes: Array<OperationType>, tenants?: Array<string> | null, tiers: Array<string>, users?: Array<string> | null }, limits: Array<
      | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, countDenied?: boolean | null, key?: string | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
      | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
    > } | null };

export type RuleToChangeQueryVariables = Exact<{
  name: Scalars['String']['input'];
}>;


export type RuleToChangeQuery = { __typename?: 'Query', rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, version: number, field: string, fields: Array<string>, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, regionMode: RegionMode, onEventDenied: EventPolicy, source: RuleSource, service?: string | null, retiredAt?: string | null, activeFrom?: string | null, activeUntil?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, schedule?: { __typename?: 'RuleSchedule', timeZone: string, days?: Array<Weekday> | null, from: string, to: string } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, agents?: boolean | null, appVersions?: Array<string> | null, apps?: Array<string> | null, callers?: RuleCallers | null, clients: Array<string>, credentials?: Array<CredentialKind> | null, document?: RuleDocument | null, keys?: Array<string> | null, operationNames: Array<string>, operationTypes: Array<OperationType>, tenants?: Array<string> | null, tiers: Array<string>, users?: Array<string> | null }, limits: Array<
      | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, countDenied?: boolean | null, key?: string | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
      | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
      | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
    > } | null };

export type FieldNamesQueryVariables = Exact<{
  contains: Scalars['String']['input'];
  service?: InputMaybe<Scalars['String']['input']>;
}>;


export type FieldNamesQuery = { __typename?: 'Query', schemaFields: { __typename?: 'SchemaFieldConnection', nodes: Array<{ __typename?: 'SchemaField', coordinate: string }> } };

export type CallerNamesQueryVariables = Exact<{
  startsWith: Scalars['String']['input'];
}>;


export type CallerNamesQuery = { __typename?: 'Query', subjects: { __typename?: 'SubjectConnection', nodes: Array<{ __typename?: 'Subject', id: string, caller: { __typename?: 'Caller', user?: string | null, tenant?: string | null } }> } };

export type RuleFactsFragment = { __typename?: 'Rule', id: string, name: string, description?: string | null, version: number, field: string, fields: Array<string>, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, regionMode: RegionMode, onEventDenied: EventPolicy, source: RuleSource, service?: string | null, retiredAt?: string | null, activeFrom?: string | null, activeUntil?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, schedule?: { __typename?: 'RuleSchedule', timeZone: string, days?: Array<Weekday> | null, from: string, to: string } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, agents?: boolean | null, appVersions?: Array<string> | null, apps?: Array<string> | null, callers?: RuleCallers | null, clients: Array<string>, credentials?: Array<CredentialKind> | null, document?: RuleDocument | null, keys?: Array<string> | null, operationNames: Array<string>, operationTypes: Array<OperationType>, tenants?: Array<string> | null, tiers: Array<string>, users?: Array<string> | null }, limits: Array<
    | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, countDenied?: boolean | null, key?: string | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
    | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
    | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
  > };

type LimitFacts_CalendarWindowLimit_Fragment = { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, countDenied?: boolean | null, key?: string | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null };

type LimitFacts_ConcurrencyLimit_Fragment = { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null, countDenied?: boolean | null, key?: string | null };

type LimitFacts_FixedWindowLimit_Fragment = { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null };

type LimitFacts_LeakyBucketLimit_Fragment = { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null };

type LimitFacts_SlidingWindowCounterLimit_Fragment = { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null };

type LimitFacts_SlidingWindowLogLimit_Fragment = { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null };

type LimitFacts_TokenBucketLimit_Fragment = { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null };

export type LimitFactsFragment =
  | LimitFacts_CalendarWindowLimit_Fragment
  | LimitFacts_ConcurrencyLimit_Fragment
  | LimitFacts_FixedWindowLimit_Fragment
  | LimitFacts_LeakyBucketLimit_Fragment
  | LimitFacts_SlidingWindowCounterLimit_Fragment
  | LimitFacts_SlidingWindowLogLimit_Fragment
  | LimitFacts_TokenBucketLimit_Fragment
;

export type SimulateRuleQueryVariables = Exact<{
  input: RuleSimulateInput;
}>;


export type SimulateRuleQuery = { __typename?: 'Query', ruleSimulate: { __typename?: 'RuleSimulationPayload', simulation?: { __typename?: 'RuleSimulation', decisions: number, denied: number, newlyDenied: number, newlyAdmitted: number, delayed: number, isTruncated: boolean, leftOut: number, sampled: number, to: string, warnings: Array<string>, regions: Array<{ __typename?: 'SimulatedRegion', region: string, decisions: number, newlyDenied: number }>, callers: Array<{ __typename?: 'SimulatedCaller', decisions: number, newlyDenied: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } };

export type SetRuleModeMutationVariables = Exact<{
  input: RuleSetModeInput;
}>;


export type SetRuleModeMutation = { __typename?: 'Mutation', ruleSetMode?: { __typename?: 'RulePayload', userErrors: Array<{ __typename?: 'UserError', message: string }> } | null };

export type CreateRuleMutationVariables = Exact<{
  input: RuleCreateInput;
}>;


export type CreateRuleMutation = { __typename?: 'Mutation', ruleCreate?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, version: number, field: string, fields: Array<string>, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, regionMode: RegionMode, onEventDenied: EventPolicy, source: RuleSource, service?: string | null, retiredAt?: string | null, activeFrom?: string | null, activeUntil?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, schedule?: { __typename?: 'RuleSchedule', timeZone: string, days?: Array<Weekday> | null, from: string, to: string } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, agents?: boolean | null, appVersions?: Array<string> | null, apps?: Array<string> | null, callers?: RuleCallers | null, clients: Array<string>, credentials?: Array<CredentialKind> | null, document?: RuleDocument | null, keys?: Array<string> | null, operationNames: Array<string>, operationTypes: Array<OperationType>, tenants?: Array<string> | null, tiers: Array<string>, users?: Array<string> | null }, limits: Array<
        | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, countDenied?: boolean | null, key?: string | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number, countDenied?: boolean | null, key?: string | null }
        | { __typename: 'TokenBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null, countDenied?: boolean | null, key?: string | null }
      > } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type UpdateRuleMutationVariables = Exact<{
  input: RuleUpdateInput;
}>;


export type UpdateRuleMutation = { __typename?: 'Mutation', ruleUpdate?: { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, version: number, field: string, fields: Array<string>, scope: Scope, measure: Measure, mode: RuleMode, rolloutPercent: number, priority: number, onUnavailable: OnUnavailable, precision: Precision, regionMode: RegionMode, onEventDenied: EventPolicy, source: RuleSource, service?: string | null, retiredAt?: string | null, activeFrom?: string | null, activeUntil?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, response?: { __typename?: 'RuleResponse', code?: string | null, message?: string | null, status?: number | null } | null, schedule?: { __typename?: 'RuleSchedule', timeZone: string, days?: Array<Weekday> | null, from: string, to: string } | null, match: { __typename?: 'RuleMatch', addresses: Array<string>, agents?: boolean | null, appVersions?: Array<string> | null, apps?: Array<string> | null, callers?: RuleCallers | null, clients: Array<string>, credentials?: Array<CredentialKind> | null, document?: RuleDocument | null, keys?: Array<string> | null, operationNames: Array<string>, operationTypes: Array<OperationType>, tenants?: Array<string> | null, tiers: Array<string>, users?: Array<string> | null }, limits: Array<
        | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, countDenied?: boolean | null, key?: string | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null, countDenied?: boolean | null, key?: string | null }
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


export type TiersQuery = { __typename?: 'Query', tiers: { __typename?: 'TierConnection', nodes: Array<{ __typename?: 'Tier', source: TierSource, retiredAt?: string | null, id: string, name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

export type TierInFullQueryVariables = Exact<{
  name: Scalars['String']['input'];
  day: TimeRangeInput;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type TierInFullQuery = { __typename?: 'Query', tier?: { __typename?: 'Tier', createdAt: string, updatedAt: string, id: string, name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, inCode: Array<{ __typename?: 'TierInCode', service?: string | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> }>, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', id: string, action: ChangeAction, actor: string, changedAt: string, comment?: string | null, differences?: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }> | null }> }, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null } | null, usage: { __typename?: 'UsageConnection', nodes: Array<{ __typename?: 'Usage', from: string, requests: number, denied: number, shadowDenied?: number | null, actualCost: number, deniedCost?: number | null }> }, topCallers: { __typename?: 'TopCallerConnection', nodes: Array<{ __typename?: 'TopCaller', actualCost: number, requests: number, denied: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null } }> }, subjects: { __typename?: 'SubjectConnection', totalCount?: number | null, nodes: Array<{ __typename?: 'Subject', id: string, upgradedAt?: string | null, disabledAt?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null, apiKey?: string | null, ip?: string | null }, override?: { __typename?: 'BucketOverride', capacity: number } | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } }, rules: { __typename?: 'RuleConnection', nodes: Array<{ __typename?: 'Rule', name: string, mode: RuleMode, field: string }> } };

export type TierFactsFragment = { __typename?: 'Tier', id: string, name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null };

export type TierToChangeQueryVariables = Exact<{
  name: Scalars['String']['input'];
}>;


export type TierToChangeQuery = { __typename?: 'Query', tier?: { __typename?: 'Tier', id: string, name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null } | null };

export type CreateTierMutationVariables = Exact<{
  input: TierCreateInput;
}>;


export type CreateTierMutation = { __typename?: 'Mutation', tierCreate?: { __typename?: 'TierPayload', warnings: Array<string>, tier?: { __typename?: 'Tier', id: string, name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type UpdateTierMutationVariables = Exact<{
  input: TierUpdateInput;
}>;


export type UpdateTierMutation = { __typename?: 'Mutation', tierUpdate?: { __typename?: 'TierPayload', warnings: Array<string>, tier?: { __typename?: 'Tier', id: string, name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, maxNodesPerOperation?: number | null, maxTypeCostPerOperation?: number | null, maxFieldCostPerOperation?: number | null, answer: AnswerDetail, isDefault: boolean, version: number, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

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

export type CalendarBudgetFactsFragment = { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null };

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
export const TierBucketFragmentDoc = new TypedDocumentString(`
    fragment TierBucket on Tier {
  name
  displayName
  capacity
  refillAmount
  refillPeriodMs
}
    `, {"fragmentName":"TierBucket"}) as unknown as TypedDocumentString<TierBucketFragment, unknown>;
export const VersionFactsFragmentDoc = new TypedDocumentString(`
    fragment VersionFacts on DocumentVersion {
  id
  app
  version
  state
  documentCount
  pushedAt
  uses
  lastUsedAt
}
    `, {"fragmentName":"VersionFacts"}) as unknown as TypedDocumentString<VersionFactsFragment, unknown>;
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
export const LimitFactsFragmentDoc = new TypedDocumentString(`
    fragment LimitFacts on RuleLimit {
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
    maxWaitMs
    maxQueue
    perConnection
    countDenied
    key
  }
  ... on CalendarWindowLimit {
    amount
    every
    timeZone
    anchorDay
    anchorTime
    anchor
    hardCap
    carryOver {
      percent
      max
    }
    countDenied
    key
  }
}
    `, {"fragmentName":"LimitFacts"}) as unknown as TypedDocumentString<LimitFactsFragment, unknown>;
export const RuleFactsFragmentDoc = new TypedDocumentString(`
    fragment RuleFacts on Rule {
  id
  name
  description
  version
  field
  fields
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  regionMode
  onEventDenied
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
  schedule {
    timeZone
    days
    from
    to
  }
  activeFrom
  activeUntil
  match {
    addresses
    agents
    appVersions
    apps
    callers
    clients
    credentials
    document
    keys
    operationNames
    operationTypes
    tenants
    tiers
    users
  }
  limits {
    ...LimitFacts
  }
}
    fragment LimitFacts on RuleLimit {
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
    maxWaitMs
    maxQueue
    perConnection
    countDenied
    key
  }
  ... on CalendarWindowLimit {
    amount
    every
    timeZone
    anchorDay
    anchorTime
    anchor
    hardCap
    carryOver {
      percent
      max
    }
    countDenied
    key
  }
}`, {"fragmentName":"RuleFacts"}) as unknown as TypedDocumentString<RuleFactsFragment, unknown>;
export const CalendarBudgetFactsFragmentDoc = new TypedDocumentString(`
    fragment CalendarBudgetFacts on CalendarBudget {
  amount
  every
  timeZone
  anchorDay
  anchorTime
  anchor
  hardCap
  carryOver {
    percent
    max
  }
}
    `, {"fragmentName":"CalendarBudgetFacts"}) as unknown as TypedDocumentString<CalendarBudgetFactsFragment, unknown>;
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
  budget {
    ...CalendarBudgetFacts
  }
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}
    fragment CalendarBudgetFacts on CalendarBudget {
  amount
  every
  timeZone
  anchorDay
  anchorTime
  anchor
  hardCap
  carryOver {
    percent
    max
  }
}`, {"fragmentName":"TierFacts"}) as unknown as TypedDocumentString<TierFactsFragment, unknown>;
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
export const ApisDocument = new TypedDocumentString(`
    query Apis {
  ownApi {
    service
    upstream
  }
  services {
    name
  }
}
    `) as unknown as TypedDocumentString<ApisQuery, ApisQueryVariables>;
export const SearchDocument = new TypedDocumentString(`
    query Search($text: String!, $caller: UsageFilter!, $day: TimeRangeInput!) {
  subjects(filter: {idStartsWith: $text}, first: 6) {
    nodes {
      caller {
        ...NamedCaller
      }
      tier {
        name
      }
    }
  }
  callersWithTraffic: topCallers(range: $day, filter: $caller, first: 3) {
    nodes {
      caller {
        ...NamedCaller
      }
    }
  }
  rules(filter: {nameContains: $text}, first: 6) {
    nodes {
      name
      field
      mode
    }
  }
  operation: topOperations(range: $day, filter: {operation: $text}, first: 3) {
    nodes {
      operation {
        name
        type
      }
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
}`) as unknown as TypedDocumentString<SearchQuery, SearchQueryVariables>;
export const SearchedOperationsDocument = new TypedDocumentString(`
    query SearchedOperations($day: TimeRangeInput!) {
  topOperations(range: $day, first: 100) {
    nodes {
      operation {
        name
        type
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SearchedOperationsQuery, SearchedOperationsQueryVariables>;
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
export const SharedAddressesDocument = new TypedDocumentString(`
    query SharedAddresses {
  addresses {
    addresses {
      address
      users
      isEstimate
      exemptions {
        name
        field
        measure
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SharedAddressesQuery, SharedAddressesQueryVariables>;
export const CallerNowDocument = new TypedDocumentString(`
    query CallerNow($who: SubjectInput!, $mostLimits: Int) {
  quota(subject: $who) {
    disabled
    tier {
      ...TierBucket
    }
    limitCount
    limits(first: $mostLimits) {
      rule
      field
      scope
      limit
      wholeLimit
      region
      remaining
      resetAt
      pool
      used
      period {
        every
        timeZone
        startsAt
        amount
        overage
        carriedOver
      }
    }
  }
}
    fragment TierBucket on Tier {
  name
  displayName
  capacity
  refillAmount
  refillPeriodMs
}`) as unknown as TypedDocumentString<CallerNowQuery, CallerNowQueryVariables>;
export const StoredCallerDocument = new TypedDocumentString(`
    query StoredCaller($user: String, $tenant: String, $isUserOfTenant: Boolean!) {
  subject(user: $user, tenant: $tenant) {
    id
    version
    disabledAt
    billingAnchor
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
        version
        name
        kind
        budget {
          capacity
          refillAmount
          refillPeriodMs
          calendar {
            ...CalendarBudgetFacts
          }
        }
        fields
        scopes
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
  tenantAsWhole: subject(tenant: $tenant) @include(if: $isUserOfTenant) {
    billingAnchor
    tier {
      ...TierBucket
    }
  }
  tiers(first: 100) {
    nodes {
      ...TierBucket
      isDefault
    }
  }
}
    fragment TierBucket on Tier {
  name
  displayName
  capacity
  refillAmount
  refillPeriodMs
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
}
fragment CalendarBudgetFacts on CalendarBudget {
  amount
  every
  timeZone
  anchorDay
  anchorTime
  anchor
  hardCap
  carryOver {
    percent
    max
  }
}`) as unknown as TypedDocumentString<StoredCallerQuery, StoredCallerQueryVariables>;
export const CallerSeenDocument = new TypedDocumentString(`
    query CallerSeen($range: TimeRangeInput!, $filter: UsageFilter!) {
  usage(range: $range, bucket: DAY, filter: $filter, first: 1) {
    nodes {
      from
    }
  }
}
    `) as unknown as TypedDocumentString<CallerSeenQuery, CallerSeenQueryVariables>;
export const ResetQuotaDocument = new TypedDocumentString(`
    mutation ResetQuota($input: SubjectResetQuotaInput!) {
  subjectResetQuota(input: $input) {
    quota {
      limits {
        rule
        field
        limit
      }
    }
    differences {
      path
      before
    }
    warnings
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ResetQuotaMutation, ResetQuotaMutationVariables>;
export const DisableCallerDocument = new TypedDocumentString(`
    mutation DisableCaller($input: SubjectDisableInput!) {
  subjectDisable(input: $input) {
    subject {
      version
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DisableCallerMutation, DisableCallerMutationVariables>;
export const OverrideCallerDocument = new TypedDocumentString(`
    mutation OverrideCaller($input: SubjectSetOverrideInput!) {
  subjectSetOverride(input: $input) {
    subject {
      version
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<OverrideCallerMutation, OverrideCallerMutationVariables>;
export const SetBillingAnchorDocument = new TypedDocumentString(`
    mutation SetBillingAnchor($input: SubjectSetBillingAnchorInput!) {
  subjectSetBillingAnchor(input: $input) {
    subject {
      version
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetBillingAnchorMutation, SetBillingAnchorMutationVariables>;
export const AssignTierDocument = new TypedDocumentString(`
    mutation AssignTier($input: SubjectAssignTierInput!) {
  subjectAssignTier(input: $input) {
    subject {
      version
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AssignTierMutation, AssignTierMutationVariables>;
export const StoreCallerDocument = new TypedDocumentString(`
    mutation StoreCaller($input: SubjectCreateInput!) {
  subjectCreate(input: $input) {
    subject {
      version
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<StoreCallerMutation, StoreCallerMutationVariables>;
export const MintKeyDocument = new TypedDocumentString(`
    mutation MintKey($input: ApiKeyCreateInput!) {
  apiKeyCreate(input: $input) {
    apiKey {
      prefix
    }
    secret
    warnings
    userErrors {
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<MintKeyMutation, MintKeyMutationVariables>;
export const UpdateKeyDocument = new TypedDocumentString(`
    mutation UpdateKey($input: ApiKeyUpdateInput!) {
  apiKeyUpdate(input: $input) {
    apiKey {
      prefix
    }
    warnings
    userErrors {
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateKeyMutation, UpdateKeyMutationVariables>;
export const RotateKeyDocument = new TypedDocumentString(`
    mutation RotateKey($input: ApiKeyRotateInput!) {
  apiKeyRotate(input: $input) {
    apiKey {
      prefix
    }
    secret
    userErrors {
      field
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
      integration
      region
      limit
      operation {
        type
        name
      }
      registeredDocument {
        app
        version
        documentId
      }
      remaining
      requestedCost
      charge
      retryAfterMs
      rule {
        measure
      }
      ruleName
      service
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
export const DeniedGroupsDocument = new TypedDocumentString(`
    query DeniedGroups($range: TimeRangeInput!, $filter: ViolationFilter!) {
  violations(range: $range, filter: $filter, first: 20) {
    nodes {
      caller {
        ...NamedCaller
      }
      ruleName
      denied
      shadowDenied
      share
      lastAt
      operations {
        operation {
          type
          name
        }
        stored
      }
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
}`) as unknown as TypedDocumentString<DeniedGroupsQuery, DeniedGroupsQueryVariables>;
export const DenialsOverTimeDocument = new TypedDocumentString(`
    query DenialsOverTime($range: TimeRangeInput!, $bucket: UsageBucket!, $groupBy: [UsageGroup!]!, $filter: UsageFilter!, $after: String) {
  usage(
    range: $range
    bucket: $bucket
    groupBy: $groupBy
    filter: $filter
    first: 100
    after: $after
  ) {
    nodes {
      from
      denied
      shadowDenied
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<DenialsOverTimeQuery, DenialsOverTimeQueryVariables>;
export const DocumentVersionsDocument = new TypedDocumentString(`
    query DocumentVersions($filter: DocumentVersionFilter!, $after: String) {
  documentVersions(filter: $filter, first: 50, after: $after) {
    nodes {
      ...VersionFacts
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment VersionFacts on DocumentVersion {
  id
  app
  version
  state
  documentCount
  pushedAt
  uses
  lastUsedAt
}`) as unknown as TypedDocumentString<DocumentVersionsQuery, DocumentVersionsQueryVariables>;
export const DocumentVersionInFullDocument = new TypedDocumentString(`
    query DocumentVersionInFull($app: String!, $version: String!) {
  documentVersion(app: $app, version: $version) {
    ...VersionFacts
    bytes
    pushedBy
    publishedAt
    retiredAt
    callers(days: 30) {
      caller {
        ...NamedCaller
      }
      uses
      lastUsedAt
    }
    history(first: 10) {
      nodes {
        ...ChangeInList
      }
    }
  }
}
    fragment VersionFacts on DocumentVersion {
  id
  app
  version
  state
  documentCount
  pushedAt
  uses
  lastUsedAt
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
}
fragment NamedCaller on Caller {
  kind
  name
  user
  tenant
  apiKey
  ip
}`) as unknown as TypedDocumentString<DocumentVersionInFullQuery, DocumentVersionInFullQueryVariables>;
export const DocumentsOfVersionDocument = new TypedDocumentString(`
    query DocumentsOfVersion($app: String!, $version: String!, $filter: RegisteredDocumentFilter!, $service: String, $after: String) {
  documentVersion(app: $app, version: $version) {
    documents(filter: $filter, first: 50, after: $after) {
      nodes {
        documentId
        text
        operationName
        operationType
        uses
        lastUsedAt
        price(service: $service) {
          worstCase
          unbounded
          errors
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DocumentsOfVersionQuery, DocumentsOfVersionQueryVariables>;
export const BrokenDocumentsDocument = new TypedDocumentString(`
    query BrokenDocuments($service: String) {
  brokenDocuments(service: $service, first: 20) {
    isComplete
    checked
    count
    documents {
      app
      documentId
      versions
      operationName
      error
    }
  }
}
    `) as unknown as TypedDocumentString<BrokenDocumentsQuery, BrokenDocumentsQueryVariables>;
export const PublishVersionDocument = new TypedDocumentString(`
    mutation PublishVersion($input: DocumentVersionPublishInput!) {
  documentVersionPublish(input: $input) {
    userErrors {
      code
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<PublishVersionMutation, PublishVersionMutationVariables>;
export const RetireVersionDocument = new TypedDocumentString(`
    mutation RetireVersion($input: DocumentVersionRetireInput!) {
  documentVersionRetire(input: $input) {
    userErrors {
      code
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RetireVersionMutation, RetireVersionMutationVariables>;
export const FieldDocsDocument = new TypedDocumentString(`
    query FieldDocs($startsWith: String!, $service: String, $after: String) {
  schemaFields(
    first: 100
    startsWith: $startsWith
    service: $service
    after: $after
  ) {
    nodes {
      coordinate
      type
      weight
      typeWeight
      callCost
      itemCost
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
    `) as unknown as TypedDocumentString<FieldDocsQuery, FieldDocsQueryVariables>;
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
        wholeLimit
        region
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
    query SchemaSdl($service: String) {
  schemaSdl(service: $service)
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
      integration
      region
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
export const SchemaFieldsDocument = new TypedDocumentString(`
    query SchemaFields($startsWith: String, $service: String, $orderBy: SchemaFieldOrder!, $after: String) {
  schemaFields(
    first: 100
    startsWith: $startsWith
    service: $service
    orderBy: $orderBy
    after: $after
  ) {
    totalCount
    nodes {
      coordinate
      type
      weight
      typeWeight
      isComputed
      callCost
      itemCost
      cost
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
export const InaccuratePricesDocument = new TypedDocumentString(`
    query InaccuratePrices($range: TimeRangeInput!, $service: String) {
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
    `) as unknown as TypedDocumentString<InaccuratePricesQuery, InaccuratePricesQueryVariables>;
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
export const OpenStreamsDocument = new TypedDocumentString(`
    query OpenStreams($filter: OpenStreamFilter!) {
  openStreams(first: 50, filter: $filter) {
    totalCount
    processes
    nodes {
      id
      kind
      caller {
        ...NamedCaller
      }
      operation
      client
      transport
      since
      events
      cost
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
}`) as unknown as TypedDocumentString<OpenStreamsQuery, OpenStreamsQueryVariables>;
export const EndStreamsDocument = new TypedDocumentString(`
    mutation EndStreams($input: OpenStreamsEndInput!) {
  openStreamsEnd(input: $input) {
    ended
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<EndStreamsMutation, EndStreamsMutationVariables>;
export const OperationsDocument = new TypedDocumentString(`
    query Operations($range: TimeRangeInput!, $filter: UsageFilter!, $orderBy: UsageMeasure!, $registered: Boolean, $after: String) {
  topOperations(
    range: $range
    filter: $filter
    orderBy: $orderBy
    registered: $registered
    first: 50
    after: $after
  ) {
    nodes {
      operation {
        type
        name
      }
      documents {
        app
        version
        documentId
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
  topIntegrations(range: $range, first: 10) {
    nodes {
      integration
      actualCost
      requests
      denied
      share
    }
  }
  topRegions(range: $range, first: 10) {
    nodes {
      region
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
export const EarlierUsageDocument = new TypedDocumentString(`
    query EarlierUsage($minutes: TimeRangeInput!, $hours: TimeRangeInput!) {
  minutes: usage(range: $minutes, bucket: MINUTE, first: 1) {
    nodes {
      from
    }
  }
  hours: usage(range: $hours, bucket: HOUR, first: 1) {
    nodes {
      from
    }
  }
}
    `) as unknown as TypedDocumentString<EarlierUsageQuery, EarlierUsageQueryVariables>;
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
    integrations {
      integration
      decisions
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
    query Rules($filter: RuleFilter!, $day: TimeRangeInput!, $after: String) {
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
      denied(range: $day)
      shadowDenied(range: $day)
      neverApplies
      appliesNow
      limits {
        ...LimitFacts
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment LimitFacts on RuleLimit {
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
    maxWaitMs
    maxQueue
    perConnection
    countDenied
    key
  }
  ... on CalendarWindowLimit {
    amount
    every
    timeZone
    anchorDay
    anchorTime
    anchor
    hardCap
    carryOver {
      percent
      max
    }
    countDenied
    key
  }
}`) as unknown as TypedDocumentString<RulesQuery, RulesQueryVariables>;
export const RuleInFullDocument = new TypedDocumentString(`
    query RuleInFull($id: ID, $name: String, $day: TimeRangeInput!, $after: String) {
  rule(id: $id, name: $name) {
    ...RuleFacts
    inRegion {
      region
      limits
    }
    appliesNow
    nextChangeAt
    warnings
    denied(range: $day)
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
  fields
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  regionMode
  onEventDenied
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
  schedule {
    timeZone
    days
    from
    to
  }
  activeFrom
  activeUntil
  match {
    addresses
    agents
    appVersions
    apps
    callers
    clients
    credentials
    document
    keys
    operationNames
    operationTypes
    tenants
    tiers
    users
  }
  limits {
    ...LimitFacts
  }
}
fragment LimitFacts on RuleLimit {
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
    maxWaitMs
    maxQueue
    perConnection
    countDenied
    key
  }
  ... on CalendarWindowLimit {
    amount
    every
    timeZone
    anchorDay
    anchorTime
    anchor
    hardCap
    carryOver {
      percent
      max
    }
    countDenied
    key
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
  fields
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  regionMode
  onEventDenied
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
  schedule {
    timeZone
    days
    from
    to
  }
  activeFrom
  activeUntil
  match {
    addresses
    agents
    appVersions
    apps
    callers
    clients
    credentials
    document
    keys
    operationNames
    operationTypes
    tenants
    tiers
    users
  }
  limits {
    ...LimitFacts
  }
}
fragment LimitFacts on RuleLimit {
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
    maxWaitMs
    maxQueue
    perConnection
    countDenied
    key
  }
  ... on CalendarWindowLimit {
    amount
    every
    timeZone
    anchorDay
    anchorTime
    anchor
    hardCap
    carryOver {
      percent
      max
    }
    countDenied
    key
  }
}`) as unknown as TypedDocumentString<RuleToChangeQuery, RuleToChangeQueryVariables>;
export const FieldNamesDocument = new TypedDocumentString(`
    query FieldNames($contains: String!, $service: String) {
  schemaFields(first: 50, contains: $contains, service: $service) {
    nodes {
      coordinate
    }
  }
}
    `) as unknown as TypedDocumentString<FieldNamesQuery, FieldNamesQueryVariables>;
export const CallerNamesDocument = new TypedDocumentString(`
    query CallerNames($startsWith: String!) {
  subjects(filter: {idStartsWith: $startsWith}, first: 20) {
    nodes {
      id
      caller {
        user
        tenant
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CallerNamesQuery, CallerNamesQueryVariables>;
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
      regions {
        region
        decisions
        newlyDenied
      }
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
  fields
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  regionMode
  onEventDenied
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
  schedule {
    timeZone
    days
    from
    to
  }
  activeFrom
  activeUntil
  match {
    addresses
    agents
    appVersions
    apps
    callers
    clients
    credentials
    document
    keys
    operationNames
    operationTypes
    tenants
    tiers
    users
  }
  limits {
    ...LimitFacts
  }
}
fragment LimitFacts on RuleLimit {
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
    maxWaitMs
    maxQueue
    perConnection
    countDenied
    key
  }
  ... on CalendarWindowLimit {
    amount
    every
    timeZone
    anchorDay
    anchorTime
    anchor
    hardCap
    carryOver {
      percent
      max
    }
    countDenied
    key
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
  fields
  scope
  measure
  mode
  rolloutPercent
  priority
  onUnavailable
  precision
  regionMode
  onEventDenied
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
  schedule {
    timeZone
    days
    from
    to
  }
  activeFrom
  activeUntil
  match {
    addresses
    agents
    appVersions
    apps
    callers
    clients
    credentials
    document
    keys
    operationNames
    operationTypes
    tenants
    tiers
    users
  }
  limits {
    ...LimitFacts
  }
}
fragment LimitFacts on RuleLimit {
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
    maxWaitMs
    maxQueue
    perConnection
    countDenied
    key
  }
  ... on CalendarWindowLimit {
    amount
    every
    timeZone
    anchorDay
    anchorTime
    anchor
    hardCap
    carryOver {
      percent
      max
    }
    countDenied
    key
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
  budget {
    ...CalendarBudgetFacts
  }
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}
fragment CalendarBudgetFacts on CalendarBudget {
  amount
  every
  timeZone
  anchorDay
  anchorTime
  anchor
  hardCap
  carryOver {
    percent
    max
  }
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
  budget {
    ...CalendarBudgetFacts
  }
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}
fragment CalendarBudgetFacts on CalendarBudget {
  amount
  every
  timeZone
  anchorDay
  anchorTime
  anchor
  hardCap
  carryOver {
    percent
    max
  }
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
  budget {
    ...CalendarBudgetFacts
  }
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}
fragment CalendarBudgetFacts on CalendarBudget {
  amount
  every
  timeZone
  anchorDay
  anchorTime
  anchor
  hardCap
  carryOver {
    percent
    max
  }
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
  budget {
    ...CalendarBudgetFacts
  }
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}
fragment CalendarBudgetFacts on CalendarBudget {
  amount
  every
  timeZone
  anchorDay
  anchorTime
  anchor
  hardCap
  carryOver {
    percent
    max
  }
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
  budget {
    ...CalendarBudgetFacts
  }
  maxCostPerOperation
  maxNodesPerOperation
  maxTypeCostPerOperation
  maxFieldCostPerOperation
  answer
  isDefault
  version
}
fragment CalendarBudgetFacts on CalendarBudget {
  amount
  every
  timeZone
  anchorDay
  anchorTime
  anchor
  hardCap
  carryOver {
    percent
    max
  }
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