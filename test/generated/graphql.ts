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

export type AssignTierMutationVariables = Exact<{
  input: SubjectAssignTierInput;
}>;


export type AssignTierMutation = { __typename?: 'Mutation', subjectAssignTier?: { __typename?: 'SubjectPayload', warnings: Array<string>, subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, billingAnchor?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type SetOverrideMutationVariables = Exact<{
  input: SubjectSetOverrideInput;
}>;


export type SetOverrideMutation = { __typename?: 'Mutation', subjectSetOverride?: { __typename?: 'SubjectPayload', warnings: Array<string>, subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, billingAnchor?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type SetBillingAnchorMutationVariables = Exact<{
  input: SubjectSetBillingAnchorInput;
}>;


export type SetBillingAnchorMutation = { __typename?: 'Mutation', subjectSetBillingAnchor?: { __typename?: 'SubjectPayload', warnings: Array<string>, subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, billingAnchor?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, message: string }> } | null };

export type DisableSubjectMutationVariables = Exact<{
  input: SubjectDisableInput;
}>;


export type DisableSubjectMutation = { __typename?: 'Mutation', subjectDisable?: { __typename?: 'SubjectPayload', subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, billingAnchor?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type SubjectFieldsFragment = { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, billingAnchor?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null };

export type ApiKeyCreateMutationVariables = Exact<{
  input: ApiKeyCreateInput;
}>;


export type ApiKeyCreateMutation = { __typename?: 'Mutation', apiKeyCreate?: { __typename?: 'ApiKeyPayload', secret?: string | null, warnings: Array<string>, apiKey?: { __typename?: 'ApiKey', id: string, prefix: string, expiresAt?: string | null, revokedAt?: string | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type ApiKeyUpdateMutationVariables = Exact<{
  input: ApiKeyUpdateInput;
}>;


export type ApiKeyUpdateMutation = { __typename?: 'Mutation', apiKeyUpdate?: { __typename?: 'ApiKeyPayload', warnings: Array<string>, secret?: string | null, apiKey?: { __typename?: 'ApiKey', version: number, name: string, kind: ApiKeyKind, fields?: Array<string> | null, id: string, prefix: string, expiresAt?: string | null, revokedAt?: string | null, budget?: { __typename?: 'ApiKeyBudget', capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, calendar?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, hardCap?: number | null } | null } | null } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', message: string, field: Array<string>, code: UserErrorCode }> } | null };

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


export type CreateSubjectMutation = { __typename?: 'Mutation', subjectCreate?: { __typename?: 'SubjectPayload', warnings: Array<string>, subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, billingAnchor?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type DeleteSubjectMutationVariables = Exact<{
  input: SubjectDeleteInput;
}>;


export type DeleteSubjectMutation = { __typename?: 'Mutation', subjectDelete?: { __typename?: 'SubjectDeletePayload', deletedId?: string | null, warnings: Array<string>, subject?: { __typename?: 'Subject', id: string, version: number, disabledAt?: string | null, billingAnchor?: string | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, user?: string | null, tenant?: string | null }, tier?: { __typename?: 'Tier', name: string } | null, override?: { __typename?: 'BucketOverride', capacity: number, expiresAt?: string | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type AdminTokenRotateMutationVariables = Exact<{
  input: AdminTokenRotateInput;
}>;


export type AdminTokenRotateMutation = { __typename?: 'Mutation', adminTokenRotate?: { __typename?: 'AdminTokenPayload', secret?: string | null, warnings: Array<string>, adminToken?: { __typename?: 'AdminToken', id: string, name: string, role: AdminRole, expiresAt?: string | null, replacedAt?: string | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode }> } | null };

export type DocumentVersionsQueryVariables = Exact<{
  filter?: InputMaybe<DocumentVersionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type DocumentVersionsQuery = { __typename?: 'Query', documentVersions: { __typename?: 'DocumentVersionConnection', totalCount?: number | null, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null }, nodes: Array<{ __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, bytes: number, pushedBy: string, uses: number, lastUsedAt?: string | null }> } };

export type DocumentVersionQueryVariables = Exact<{
  app: Scalars['String']['input'];
  version: Scalars['String']['input'];
  filter?: InputMaybe<RegisteredDocumentFilter>;
}>;


export type DocumentVersionQuery = { __typename?: 'Query', documentVersion?: { __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, bytes: number, pushedBy: string, uses: number, lastUsedAt?: string | null, callers: Array<{ __typename?: 'DocumentVersionCaller', uses: number, lastUsedAt: string, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null } }>, documents: { __typename?: 'RegisteredDocumentConnection', nodes: Array<{ __typename?: 'RegisteredDocument', documentId: string, hash: string, text: string, operationName?: string | null, operationType: OperationType, uses: number, lastUsedAt?: string | null, price: { __typename?: 'DocumentPrice', worstCase?: number | null, unbounded: Array<string>, errors: Array<string> } }> }, history: { __typename?: 'ChangeConnection', nodes: Array<{ __typename?: 'Change', action: ChangeAction, actor: string, comment?: string | null }> } } | null };

export type BrokenDocumentsQueryVariables = Exact<{
  app?: InputMaybe<Scalars['String']['input']>;
}>;


export type BrokenDocumentsQuery = { __typename?: 'Query', brokenDocuments: { __typename?: 'BrokenDocuments', isComplete: boolean, checked: number, count: number, documents: Array<{ __typename?: 'BrokenDocument', app: string, documentId: string, versions: Array<string>, operationName?: string | null, error: string }> } };

export type DenialsOfDocumentsQueryVariables = Exact<{ [key: string]: never; }>;


export type DenialsOfDocumentsQuery = { __typename?: 'Query', denials: { __typename?: 'DenialConnection', nodes: Array<{ __typename?: 'Denial', operation: { __typename?: 'UsageOperation', name?: string | null }, registeredDocument?: { __typename?: 'RegisteredDocumentName', app: string, version: string, documentId: string } | null }> } };

export type NodeOfVersionQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type NodeOfVersionQuery = { __typename?: 'Query', node?:
    | { __typename?: 'AdminToken' }
    | { __typename?: 'ApiKey' }
    | { __typename?: 'Change' }
    | { __typename?: 'ConsoleSession' }
    | { __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, bytes: number, pushedBy: string, uses: number, lastUsedAt?: string | null }
    | { __typename?: 'Rule' }
    | { __typename?: 'Subject' }
    | { __typename?: 'Tier' }
   | null };

export type DocumentsCheckQueryVariables = Exact<{
  input: DocumentsCheckInput;
}>;


export type DocumentsCheckQuery = { __typename?: 'Query', documentsCheck: { __typename?: 'DocumentsCheckPayload', passed: boolean, removed: Array<string>, documents: Array<{ __typename?: 'CheckedDocument', documentId: string, name: string, problems: Array<string>, price: { __typename?: 'DocumentPrice', worstCase?: number | null, unbounded: Array<string> }, before?: { __typename?: 'DocumentPrice', worstCase?: number | null } | null }>, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } };

export type DocumentVersionPushMutationVariables = Exact<{
  input: DocumentVersionPushInput;
}>;


export type DocumentVersionPushMutation = { __typename?: 'Mutation', documentVersionPush?: { __typename?: 'DocumentVersionPayload', warnings: Array<string>, documentVersion?: { __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, bytes: number, pushedBy: string, uses: number, lastUsedAt?: string | null } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type DocumentVersionPublishMutationVariables = Exact<{
  input: DocumentVersionPublishInput;
}>;


export type DocumentVersionPublishMutation = { __typename?: 'Mutation', documentVersionPublish?: { __typename?: 'DocumentVersionPayload', warnings: Array<string>, documentVersion?: { __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, bytes: number, pushedBy: string, uses: number, lastUsedAt?: string | null } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type DocumentVersionRetireMutationVariables = Exact<{
  input: DocumentVersionRetireInput;
}>;


export type DocumentVersionRetireMutation = { __typename?: 'Mutation', documentVersionRetire?: { __typename?: 'DocumentVersionPayload', warnings: Array<string>, documentVersion?: { __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, bytes: number, pushedBy: string, uses: number, lastUsedAt?: string | null } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> } | null };

export type VersionPayloadFragment = { __typename?: 'DocumentVersionPayload', warnings: Array<string>, documentVersion?: { __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, bytes: number, pushedBy: string, uses: number, lastUsedAt?: string | null } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', code: UserErrorCode, field: Array<string>, message: string }> };

export type VersionFieldsFragment = { __typename?: 'DocumentVersion', id: string, app: string, version: string, state: DocumentVersionState, documentCount: number, bytes: number, pushedBy: string, uses: number, lastUsedAt?: string | null };

export type FindNodeQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type FindNodeQuery = { __typename?: 'Query', node?:
    | { __typename: 'AdminToken', id: string }
    | { __typename: 'ApiKey', prefix: string, id: string }
    | { __typename: 'Change', action: ChangeAction, id: string }
    | { __typename: 'ConsoleSession', id: string }
    | { __typename: 'DocumentVersion', id: string }
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
        | { __typename: 'DocumentVersion', id: string }
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
  orderBy?: InputMaybe<SchemaFieldOrder>;
}>;


export type SchemaFieldsQuery = { __typename?: 'Query', schemaFields: { __typename?: 'SchemaFieldConnection', nodes: Array<{ __typename?: 'SchemaField', coordinate: string, type: string, weight?: number | null, typeWeight?: number | null, isComputed: boolean, callCost?: number | null, itemCost: number, cost?: number | null, sizeSource?: SizeSource | null, isSizeInferred: boolean, sizeArguments: Array<string>, assumedSize?: number | null }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

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


export type QuotaOfQuery = { __typename?: 'Query', quota?: { __typename?: 'Quota', disabled: boolean, tier: { __typename?: 'Tier', name: string, capacity?: number | null }, limits: Array<{ __typename?: 'LimitQuota', rule: string, scope: Scope, field: string, limit: number, used: number, remaining: number, resetAt: string, retryAfterMs: number, period?: { __typename?: 'QuotaPeriod', every: CalendarPeriod, timeZone: string, startsAt: string, amount: number, overage: number, carriedOver: number } | null }> } | null };

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


export type RulesWithHistoryQuery = { __typename?: 'Query', rules: { __typename?: 'RuleConnection', edges: Array<{ __typename?: 'RuleEdge', cursor: string, node: { __typename?: 'Rule', id: string, name: string, version: number, field: string, fields: Array<string>, match: { __typename?: 'RuleMatch', agents?: boolean | null, callers?: RuleCallers | null, credentials?: Array<CredentialKind> | null, keys?: Array<string> | null, tenants?: Array<string> | null, users?: Array<string> | null, tiers: Array<string> }, limits: Array<
          | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
          | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null }
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
        | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null }
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
        | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null }
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
        | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null }
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
        | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null }
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
        | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
        | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null }
        | { __typename: 'FixedWindowLimit', amount: number, windowMs: number }
        | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
        | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null }
        | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number }
        | { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
      > } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type RuleOutcomeFragment = { __typename?: 'RulePayload', warnings: Array<string>, rule?: { __typename?: 'Rule', id: string, name: string, description?: string | null, mode: RuleMode, priority: number, version: number, retiredAt?: string | null, action: { __typename?: 'RuleAction', type: RuleActionType, maxDelayMs?: number | null }, limits: Array<
      | { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null }
      | { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null }
      | { __typename: 'FixedWindowLimit', amount: number, windowMs: number }
      | { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
      | { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null }
      | { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number }
      | { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null }
    > } | null, differences: Array<{ __typename?: 'Difference', path: string, before?: unknown | null, after?: unknown | null }>, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> };

type LimitFields_CalendarWindowLimit_Fragment = { __typename: 'CalendarWindowLimit', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null };

type LimitFields_ConcurrencyLimit_Fragment = { __typename: 'ConcurrencyLimit', capacity: number, leaseMs: number, maxWaitMs?: number | null, maxQueue?: number | null, perConnection?: boolean | null };

type LimitFields_FixedWindowLimit_Fragment = { __typename: 'FixedWindowLimit', amount: number, windowMs: number };

type LimitFields_LeakyBucketLimit_Fragment = { __typename: 'LeakyBucketLimit', capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null };

type LimitFields_SlidingWindowCounterLimit_Fragment = { __typename: 'SlidingWindowCounterLimit', amount: number, windowMs: number, strict?: boolean | null };

type LimitFields_SlidingWindowLogLimit_Fragment = { __typename: 'SlidingWindowLogLimit', amount: number, windowMs: number };

type LimitFields_TokenBucketLimit_Fragment = { __typename: 'TokenBucketLimit', key?: string | null, countDenied?: boolean | null, capacity: number, refillAmount: number, refillPeriodMs: number, maxDebt?: number | null };

export type LimitFieldsFragment =
  | LimitFields_CalendarWindowLimit_Fragment
  | LimitFields_ConcurrencyLimit_Fragment
  | LimitFields_FixedWindowLimit_Fragment
  | LimitFields_LeakyBucketLimit_Fragment
  | LimitFields_SlidingWindowCounterLimit_Fragment
  | LimitFields_SlidingWindowLogLimit_Fragment
  | LimitFields_TokenBucketLimit_Fragment
;

export type RuleTimesQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type RuleTimesQuery = { __typename?: 'Query', rule?: { __typename?: 'Rule', activeFrom?: string | null, activeUntil?: string | null, appliesNow: boolean, nextChangeAt?: string | null, schedule?: { __typename?: 'RuleSchedule', timeZone: string, days?: Array<Weekday> | null, from: string, to: string } | null } | null };

export type TiersQueryVariables = Exact<{ [key: string]: never; }>;


export type TiersQuery = { __typename?: 'Query', tiers: { __typename?: 'TierConnection', nodes: Array<{ __typename?: 'Tier', name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null }> } };

export type TierByNameQueryVariables = Exact<{
  name: Scalars['String']['input'];
}>;


export type TierByNameQuery = { __typename?: 'Query', tier?: { __typename?: 'Tier', name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null } | null };

export type TierCreateMutationVariables = Exact<{
  input: TierCreateInput;
}>;


export type TierCreateMutation = { __typename?: 'Mutation', tierCreate?: { __typename?: 'TierPayload', tier?: { __typename?: 'Tier', name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type TierUpdateMutationVariables = Exact<{
  input: TierUpdateInput;
}>;


export type TierUpdateMutation = { __typename?: 'Mutation', tierUpdate?: { __typename?: 'TierPayload', tier?: { __typename?: 'Tier', name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } | null };

export type TierFieldsFragment = { __typename?: 'Tier', name: string, displayName: string, capacity?: number | null, refillAmount?: number | null, refillPeriodMs?: number | null, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, retiredAt?: string | null, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null, budget?: { __typename?: 'CalendarBudget', amount: number, every: CalendarPeriod, timeZone?: string | null, anchorDay?: number | null, anchorTime?: string | null, anchor?: CalendarAnchor | null, hardCap?: number | null, carryOver?: { __typename?: 'CarryOver', percent: number, max: number } | null } | null };

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


export type ViolationsQuery = { __typename?: 'Query', violations: { __typename?: 'ViolationConnection', nodes: Array<{ __typename?: 'Violation', ruleName: string, denied: number, shadowDenied: number, deniedCost: number, share: number, lastAt?: string | null, rule?: { __typename?: 'Rule', name: string } | null, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, tenant?: string | null }, operations: Array<{ __typename?: 'DeniedOperation', stored: number, lastAt: string, operation: { __typename?: 'UsageOperation', type: UsageOperationType, name?: string | null } }> }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } };

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


export type RulesWithEffectQuery = { __typename?: 'Query', rules: { __typename?: 'RuleConnection', nodes: Array<{ __typename?: 'Rule', name: string, denied: number, shadowDenied: number, usage: { __typename?: 'RuleUsageConnection', nodes: Array<{ __typename?: 'RuleUsage', from: string, requests: number, denied: number, shadowDenied: number }> }, violations: { __typename?: 'ViolationConnection', nodes: Array<{ __typename?: 'Violation', ruleName: string, denied: number, shadowDenied: number, share: number, caller: { __typename?: 'Caller', kind: CallerKind, name?: string | null, tenant?: string | null } }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } }, denials: { __typename?: 'DenialConnection', nodes: Array<{ __typename?: 'Denial', at: string, ruleName: string, shadow: boolean }>, pageInfo: { __typename?: 'PageInfo', hasNextPage: boolean, endCursor?: string | null } } }> } };

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
  billingAnchor
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
export const VersionFieldsFragmentDoc = new TypedDocumentString(`
    fragment VersionFields on DocumentVersion {
  id
  app
  version
  state
  documentCount
  bytes
  pushedBy
  uses
  lastUsedAt
}
    `, {"fragmentName":"VersionFields"}) as unknown as TypedDocumentString<VersionFieldsFragment, unknown>;
export const VersionPayloadFragmentDoc = new TypedDocumentString(`
    fragment VersionPayload on DocumentVersionPayload {
  documentVersion {
    ...VersionFields
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    code
    field
    message
  }
}
    fragment VersionFields on DocumentVersion {
  id
  app
  version
  state
  documentCount
  bytes
  pushedBy
  uses
  lastUsedAt
}`, {"fragmentName":"VersionPayload"}) as unknown as TypedDocumentString<VersionPayloadFragment, unknown>;
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
    maxWaitMs
    maxQueue
    perConnection
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
    maxWaitMs
    maxQueue
    perConnection
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
  budget {
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
  billingAnchor
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
  billingAnchor
  tier {
    name
  }
  override {
    capacity
    expiresAt
  }
}`) as unknown as TypedDocumentString<SetOverrideMutation, SetOverrideMutationVariables>;
export const SetBillingAnchorDocument = new TypedDocumentString(`
    mutation SetBillingAnchor($input: SubjectSetBillingAnchorInput!) {
  subjectSetBillingAnchor(input: $input) {
    subject {
      ...SubjectFields
    }
    warnings
    userErrors {
      field
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
  billingAnchor
  tier {
    name
  }
  override {
    capacity
    expiresAt
  }
}`) as unknown as TypedDocumentString<SetBillingAnchorMutation, SetBillingAnchorMutationVariables>;
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
  billingAnchor
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
export const ApiKeyUpdateDocument = new TypedDocumentString(`
    mutation ApiKeyUpdate($input: ApiKeyUpdateInput!) {
  apiKeyUpdate(input: $input) {
    ...KeyOutcome
    apiKey {
      version
      name
      kind
      fields
      budget {
        capacity
        refillAmount
        refillPeriodMs
        calendar {
          amount
          every
          timeZone
          hardCap
        }
      }
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
}`) as unknown as TypedDocumentString<ApiKeyUpdateMutation, ApiKeyUpdateMutationVariables>;
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
  billingAnchor
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
  billingAnchor
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
export const DocumentVersionsDocument = new TypedDocumentString(`
    query DocumentVersions($filter: DocumentVersionFilter, $first: Int, $after: String) {
  documentVersions(filter: $filter, first: $first, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...VersionFields
    }
  }
}
    fragment VersionFields on DocumentVersion {
  id
  app
  version
  state
  documentCount
  bytes
  pushedBy
  uses
  lastUsedAt
}`) as unknown as TypedDocumentString<DocumentVersionsQuery, DocumentVersionsQueryVariables>;
export const DocumentVersionDocument = new TypedDocumentString(`
    query DocumentVersion($app: String!, $version: String!, $filter: RegisteredDocumentFilter) {
  documentVersion(app: $app, version: $version) {
    ...VersionFields
    callers {
      caller {
        kind
        name
      }
      uses
      lastUsedAt
    }
    documents(filter: $filter) {
      nodes {
        documentId
        hash
        text
        operationName
        operationType
        uses
        lastUsedAt
        price {
          worstCase
          unbounded
          errors
        }
      }
    }
    history {
      nodes {
        action
        actor
        comment
      }
    }
  }
}
    fragment VersionFields on DocumentVersion {
  id
  app
  version
  state
  documentCount
  bytes
  pushedBy
  uses
  lastUsedAt
}`) as unknown as TypedDocumentString<DocumentVersionQuery, DocumentVersionQueryVariables>;
export const BrokenDocumentsDocument = new TypedDocumentString(`
    query BrokenDocuments($app: String) {
  brokenDocuments(app: $app) {
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
export const DenialsOfDocumentsDocument = new TypedDocumentString(`
    query DenialsOfDocuments {
  denials {
    nodes {
      operation {
        name
      }
      registeredDocument {
        app
        version
        documentId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DenialsOfDocumentsQuery, DenialsOfDocumentsQueryVariables>;
export const NodeOfVersionDocument = new TypedDocumentString(`
    query NodeOfVersion($id: ID!) {
  node(id: $id) {
    ...VersionFields
  }
}
    fragment VersionFields on DocumentVersion {
  id
  app
  version
  state
  documentCount
  bytes
  pushedBy
  uses
  lastUsedAt
}`) as unknown as TypedDocumentString<NodeOfVersionQuery, NodeOfVersionQueryVariables>;
export const DocumentsCheckDocument = new TypedDocumentString(`
    query DocumentsCheck($input: DocumentsCheckInput!) {
  documentsCheck(input: $input) {
    passed
    documents {
      documentId
      name
      price {
        worstCase
        unbounded
      }
      before {
        worstCase
      }
      problems
    }
    removed
    userErrors {
      code
      field
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DocumentsCheckQuery, DocumentsCheckQueryVariables>;
export const DocumentVersionPushDocument = new TypedDocumentString(`
    mutation DocumentVersionPush($input: DocumentVersionPushInput!) {
  documentVersionPush(input: $input) {
    ...VersionPayload
  }
}
    fragment VersionPayload on DocumentVersionPayload {
  documentVersion {
    ...VersionFields
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    code
    field
    message
  }
}
fragment VersionFields on DocumentVersion {
  id
  app
  version
  state
  documentCount
  bytes
  pushedBy
  uses
  lastUsedAt
}`) as unknown as TypedDocumentString<DocumentVersionPushMutation, DocumentVersionPushMutationVariables>;
export const DocumentVersionPublishDocument = new TypedDocumentString(`
    mutation DocumentVersionPublish($input: DocumentVersionPublishInput!) {
  documentVersionPublish(input: $input) {
    ...VersionPayload
  }
}
    fragment VersionPayload on DocumentVersionPayload {
  documentVersion {
    ...VersionFields
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    code
    field
    message
  }
}
fragment VersionFields on DocumentVersion {
  id
  app
  version
  state
  documentCount
  bytes
  pushedBy
  uses
  lastUsedAt
}`) as unknown as TypedDocumentString<DocumentVersionPublishMutation, DocumentVersionPublishMutationVariables>;
export const DocumentVersionRetireDocument = new TypedDocumentString(`
    mutation DocumentVersionRetire($input: DocumentVersionRetireInput!) {
  documentVersionRetire(input: $input) {
    ...VersionPayload
  }
}
    fragment VersionPayload on DocumentVersionPayload {
  documentVersion {
    ...VersionFields
  }
  differences {
    path
    before
    after
  }
  warnings
  userErrors {
    code
    field
    message
  }
}
fragment VersionFields on DocumentVersion {
  id
  app
  version
  state
  documentCount
  bytes
  pushedBy
  uses
  lastUsedAt
}`) as unknown as TypedDocumentString<DocumentVersionRetireMutation, DocumentVersionRetireMutationVariables>;
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
    query SchemaFields($first: Int, $after: String, $startsWith: String, $orderBy: SchemaFieldOrder) {
  schemaFields(
    first: $first
    after: $after
    startsWith: $startsWith
    orderBy: $orderBy
  ) {
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
        field
        fields
        match {
          agents
          callers
          credentials
          keys
          tenants
          users
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
    maxWaitMs
    maxQueue
    perConnection
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
    maxWaitMs
    maxQueue
    perConnection
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
    maxWaitMs
    maxQueue
    perConnection
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
    maxWaitMs
    maxQueue
    perConnection
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
    maxWaitMs
    maxQueue
    perConnection
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
    maxWaitMs
    maxQueue
    perConnection
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
  }
}`) as unknown as TypedDocumentString<RuleRestoreMutation, RuleRestoreMutationVariables>;
export const RuleTimesDocument = new TypedDocumentString(`
    query RuleTimes($id: ID!) {
  rule(id: $id) {
    schedule {
      timeZone
      days
      from
      to
    }
    activeFrom
    activeUntil
    appliesNow
    nextChangeAt
  }
}
    `) as unknown as TypedDocumentString<RuleTimesQuery, RuleTimesQueryVariables>;
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
  budget {
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
  budget {
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
  budget {
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
  budget {
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
      lastAt
      operations {
        operation {
          type
          name
        }
        stored
        lastAt
      }
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
      denied(range: $range)
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