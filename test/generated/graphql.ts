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

/** What is known of an administrator’s token: all but the token. */
export type AdminToken = Node & {
  __typename?: 'AdminToken';
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When it stops being good; null: never. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** Unique over everything, and says nothing. Not for people. */
  id: Scalars['ID']['output'];
  /** Who holds it: the `actor` of what is changed with it. */
  name: Scalars['String']['output'];
  /** When another token took its place; it is good beside that one until it expires. Null: none did. */
  replacedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it was revoked; null: it was not. */
  revokedAt?: Maybe<Scalars['DateTime']['output']>;
  /** What may be done with it. */
  role: AdminRole;
};

/** A page of tokens of administrators. */
export type AdminTokenConnection = {
  __typename?: 'AdminTokenConnection';
  /** The tokens of administrators of this page, each with its cursor. */
  edges: Array<AdminTokenEdge>;
  /** The tokens of administrators of this page. */
  nodes: Array<AdminToken>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
  /** How many all pages have, up to 10000; null in nested lists. */
  totalCount?: Maybe<Scalars['Int']['output']>;
};

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

/** One of the tokens of administrators, and where it stands in the list. */
export type AdminTokenEdge = {
  __typename?: 'AdminTokenEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: AdminToken;
};

/** What became of a change to an administrator’s token. */
export type AdminTokenPayload = {
  __typename?: 'AdminTokenPayload';
  /** The token, without its secret. */
  adminToken?: Maybe<AdminToken>;
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** The token itself, for the header `Authorization: Bearer`. It is shown this once and kept nowhere. Null after a dry run, and when a repeated request made nothing. */
  secret?: Maybe<Scalars['String']['output']>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
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

/** What is known of an API key: everything but the key. */
export type ApiKey = Node & {
  __typename?: 'ApiKey';
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When it stops being good; null: never. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** Who made and who ended it, newest first. */
  history: ChangeConnection;
  /** The user or tenant that the key stands for. */
  holder?: Maybe<Subject>;
  /** Unique over everything, and says nothing. Not for people. */
  id: Scalars['ID']['output'];
  /** When it was last seen, give or take a minute; null: not yet. */
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** For the people who administer it. */
  name: Scalars['String']['output'];
  /** The public part of the key: what it begins with. */
  prefix: Scalars['String']['output'];
  /** When it was revoked; null: it was not. */
  revokedAt?: Maybe<Scalars['DateTime']['output']>;
  /** What the key is for; Tollgate passes them on. */
  scopes: Array<Scalars['String']['output']>;
};


/** What is known of an API key: everything but the key. */
export type ApiKeyHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};

/** A page of API keys. */
export type ApiKeyConnection = {
  __typename?: 'ApiKeyConnection';
  /** The API keys of this page, each with its cursor. */
  edges: Array<ApiKeyEdge>;
  /** The API keys of this page. */
  nodes: Array<ApiKey>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
};

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

/** One of the API keys, and where it stands in the list. */
export type ApiKeyEdge = {
  __typename?: 'ApiKeyEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: ApiKey;
};

/** What became of a change to an API key. */
export type ApiKeyPayload = {
  __typename?: 'ApiKeyPayload';
  /** The key, or the new key, without its secret. */
  apiKey?: Maybe<ApiKey>;
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** The new key itself, for the header `x-api-key`. It is shown this once and kept nowhere. Null after a dry run, and when a repeated request made nothing. */
  secret?: Maybe<Scalars['String']['output']>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
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

/** A bucket that a user or tenant has in place of its tier’s. */
export type BucketOverride = {
  __typename?: 'BucketOverride';
  /** Tokens that fit into it. */
  capacity: Scalars['Int']['output'];
  /** When the tier’s bucket is back; null: never. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** Tokens that flow back in each period. */
  refillAmount: Scalars['Int']['output'];
  /** The period of the refill in milliseconds. */
  refillPeriodMs: Scalars['SafeInt']['output'];
};

/** Who asks, wherever this API speaks of them. */
export type Caller = {
  __typename?: 'Caller';
  /** The prefix of the API key, where it was recorded. */
  apiKey?: Maybe<Scalars['String']['output']>;
  /** The address, where it was recorded. */
  ip?: Maybe<Scalars['String']['output']>;
  /** Which of the members below is the name of the caller. */
  kind: CallerKind;
  /** What the caller is counted by; null: no one caller is meant. */
  name?: Maybe<Scalars['String']['output']>;
  /** What is stored of the user, else the tenant. Not in subscriptions. */
  subject?: Maybe<Subject>;
  /** The id of the tenant. */
  tenant?: Maybe<Scalars['String']['output']>;
  /** The id of the user. */
  user?: Maybe<Scalars['String']['output']>;
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

/** One entry of the record of changes. Nobody can alter or remove it. */
export type Change = Node & {
  __typename?: 'Change';
  /** What the change did to the object. */
  action: ChangeAction;
  /** Who made it: the name of the token, or of the administrator. */
  actor: Scalars['String']['output'];
  /** The whole object after; null as well for tokens of administrators and sessions of the console, unless you are an ADMIN. */
  after?: Maybe<Scalars['JSON']['output']>;
  /** How the actor proved who they are. */
  authMethod: AuthMethod;
  /** The whole object before; null: it did not exist; null as well for tokens of administrators and sessions of the console, unless you are an ADMIN. */
  before?: Maybe<Scalars['JSON']['output']>;
  /** When it came into force. */
  changedAt: Scalars['DateTime']['output'];
  /** Why, in the words of the actor. */
  comment?: Maybe<Scalars['String']['output']>;
  /** What differs between the two; null as well for tokens of administrators and sessions of the console, unless you are an ADMIN. */
  differences?: Maybe<Array<Difference>>;
  /** What kind of thing was changed. */
  entity: ChangedEntity;
  /** Unique over everything, and says nothing. Not for people. */
  id: Scalars['ID']['output'];
  /** Which object: a name, a prefix, or a number of the store. */
  key: Scalars['String']['output'];
  /** The object as it is now; null: it is gone, or it is not for your role. */
  node?: Maybe<Node>;
  /** Rises with every change, in the order in which they came into force. */
  number: Scalars['Int']['output'];
};

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

/** A page of changes. */
export type ChangeConnection = {
  __typename?: 'ChangeConnection';
  /** The changes of this page, each with its cursor. */
  edges: Array<ChangeEdge>;
  /** The changes of this page. */
  nodes: Array<Change>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
  /** How many all pages have, up to 10000; null in nested lists. */
  totalCount?: Maybe<Scalars['Int']['output']>;
};

/** One of the changes, and where it stands in the list. */
export type ChangeEdge = {
  __typename?: 'ChangeEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: Change;
};

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

/** What would become of an operation at this moment. Nothing is charged. */
export type ChargePreview = {
  __typename?: 'ChargePreview';
  /** The ceilings of that tier for one operation. */
  ceilings: Array<PreviewedCeiling>;
  /** The rule, or `tier:NAME`, that a denial would name. */
  deniedBy?: Maybe<Scalars['String']['output']>;
  /** The caller is shut out: whatever the limits say, it may do nothing. */
  disabled: Scalars['Boolean']['output'];
  /** Every limit that would decide, narrowest first. */
  limits: Array<PreviewedLimit>;
  /** What one operation may cost on that tier; null: any cost. */
  maxCostPerOperation?: Maybe<Scalars['SafeInt']['output']>;
  /** The pool whose Redis would decide; `default` where none matches. */
  pool: Scalars['String']['output'];
  /** What the operation costs at most. */
  requestedCost: Scalars['SafeInt']['output'];
  /** THROTTLED: milliseconds until the same operation would pass. */
  retryAfterMs?: Maybe<Scalars['SafeInt']['output']>;
  /** The tier that the caller would be on. */
  tier: Scalars['String']['output'];
  /** What would become of the operation in the end. */
  verdict: PreviewVerdict;
};

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

/** What would become of an operation, or why that cannot be said. */
export type ChargePreviewPayload = {
  __typename?: 'ChargePreviewPayload';
  /** Null with user errors. */
  preview?: Maybe<ChargePreview>;
  /** What is wrong with the operation or the caller; empty on success. */
  userErrors: Array<UserError>;
};

/** So many operations at the same time. */
export type ConcurrencyLimit = {
  __typename?: 'ConcurrencyLimit';
  /** How many operations may run at the same time. */
  capacity: Scalars['Int']['output'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: Maybe<Scalars['Boolean']['output']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: Maybe<Scalars['String']['output']>;
  /** After how many milliseconds a slot is free again at the latest. */
  leaseMs: Scalars['SafeInt']['output'];
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

/** A browser that is logged in to the console with a token. It ends with the token. */
export type ConsoleSession = Node & {
  __typename?: 'ConsoleSession';
  /** Unique over everything, and says nothing. Not for people. */
  id: Scalars['ID']['output'];
  /** The name of the token; `admin`: the token of the settings. */
  name: Scalars['String']['output'];
  /** When it was opened. It ends after twelve hours. */
  openedAt: Scalars['DateTime']['output'];
  /** What may be done in it. */
  role: AdminRole;
  /** When it was used last, to the minute. It ends half an hour after that. */
  usedAt: Scalars['DateTime']['output'];
};

/** A page of open sessions. */
export type ConsoleSessionConnection = {
  __typename?: 'ConsoleSessionConnection';
  /** The open sessions of this page, each with its cursor. */
  edges: Array<ConsoleSessionEdge>;
  /** The open sessions of this page. */
  nodes: Array<ConsoleSession>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
  /** How many all pages have, up to 10000; null in nested lists. */
  totalCount?: Maybe<Scalars['Int']['output']>;
};

/** One of the open sessions, and where it stands in the list. */
export type ConsoleSessionEdge = {
  __typename?: 'ConsoleSessionEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: ConsoleSession;
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

/** What became of a session. */
export type ConsoleSessionPayload = {
  __typename?: 'ConsoleSessionPayload';
  /** The session, as it was before it ended. */
  consoleSession?: Maybe<ConsoleSession>;
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
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

/** What an operation costs, or why it cannot be priced. */
export type CostExplainPayload = {
  __typename?: 'CostExplainPayload';
  /** Null with user errors. */
  explanation?: Maybe<CostExplanation>;
  /** What is wrong with the operation; empty on success. */
  userErrors: Array<UserError>;
};

/** What an operation costs at most, and why. */
export type CostExplanation = {
  __typename?: 'CostExplanation';
  /** In tokens: what would be charged. */
  cost: Scalars['SafeInt']['output'];
  /** The field cost of the IBM cost directives. */
  fieldCost: Scalars['SafeInt']['output'];
  /** What each field of the operation costs. */
  fields: Array<FieldCost>;
  /** How many objects it can return, whatever they weigh; in profile `github` the nodes of connections. */
  nodes: Scalars['SafeInt']['output'];
  /** Path by path: weight, multiplier and where it comes from, calls, cost with children; and the formula. */
  tree?: Maybe<Scalars['JSON']['output']>;
  /** The type cost of the IBM cost directives. */
  typeCost: Scalars['SafeInt']['output'];
};

/** The PostgreSQL with tiers, rules and usage. */
export type DatabaseHealth = {
  __typename?: 'DatabaseHealth';
  /** After how long it answered just now; null: it did not. */
  answeredAfterMs?: Maybe<Scalars['Float']['output']>;
  /** Since when the process that answers could not use it; null: it can. */
  awaySince?: Maybe<Scalars['DateTime']['output']>;
  /** Why it could not; null: it can. */
  reason?: Maybe<Scalars['String']['output']>;
  /** Its version; null: it does not answer. */
  version?: Maybe<Scalars['String']['output']>;
};

/** The made-up callers who ask the sample API of this process, so that a first look shows something. */
export type DemoTraffic = {
  __typename?: 'DemoTraffic';
  /** Whether they ask. They begin again with each start, unless it is with `--no-traffic`. */
  isOn: Scalars['Boolean']['output'];
};

/** One operation that a rule denied, or in shadow would have, with the numbers of then. */
export type Denial = {
  __typename?: 'Denial';
  /** When the operation was decided. */
  at: Scalars['DateTime']['output'];
  /** The one who asked, by all the names that came with the request. */
  caller: Caller;
  /** What the limit was asked for. */
  charge?: Maybe<Scalars['SafeInt']['output']>;
  /** The client, as its header gave it. */
  client?: Maybe<Scalars['String']['output']>;
  /** Why it was denied; null: it was not, as the rule was in shadow. */
  code?: Maybe<DenialCode>;
  /** It was decided without the shared counters. */
  degraded: Scalars['Boolean']['output'];
  /** What was asked for. Null: it was not kept, as it was too long, one of too many new ones in a minute, never got a price, or as documents are not to be kept. */
  document?: Maybe<DeniedDocument>;
  /** What was counted: `Query.search`, `*`. */
  field?: Maybe<Scalars['String']['output']>;
  /** What the limit holds when nothing is used. */
  limit?: Maybe<Scalars['SafeInt']['output']>;
  /** What was asked for. */
  operation: UsageOperation;
  /** What was left of the limit. */
  remaining?: Maybe<Scalars['SafeInt']['output']>;
  /** What the operation asked for in all, in tokens. */
  requestedCost: Scalars['SafeInt']['output'];
  /** Milliseconds until it would have passed; null: never. */
  retryAfterMs?: Maybe<Scalars['SafeInt']['output']>;
  /** The rule of that name; null: it is a tier’s, or none is stored. */
  rule?: Maybe<Rule>;
  /** The name of the rule, or `tier:NAME`: of those that refused, the narrowest. */
  ruleName: Scalars['String']['output'];
  /** Who shared the counter. */
  scope?: Maybe<Scope>;
  /** The rule was in shadow: the operation ran. */
  shadow: Scalars['Boolean']['output'];
  /** The tier that the caller was on. */
  tier: Scalars['String']['output'];
  /** What was used of the limit. */
  used?: Maybe<Scalars['SafeInt']['output']>;
  /** The variables in the shape in which they came, with the numbers that size a list; others are 0, texts are empty. Null: they were not kept. */
  variables?: Maybe<Scalars['JSON']['output']>;
};

/** Why an operation was denied. */
export type DenialCode =
  /** It costs more than the limit can ever hold. */
  | 'MAX_COST_EXCEEDED'
  /** There was no room at that time. */
  | 'THROTTLED'
  /** A limit that must not be skipped could not be checked. */
  | 'UNAVAILABLE';

/** A page of denials. */
export type DenialConnection = {
  __typename?: 'DenialConnection';
  /** The denials of this page, each with its cursor. */
  edges: Array<DenialEdge>;
  /** The denials of this page. */
  nodes: Array<Denial>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
  /** How many all pages have, up to 10000; null in nested lists. */
  totalCount?: Maybe<Scalars['Int']['output']>;
};

/** One of the denials, and where it stands in the list. */
export type DenialEdge = {
  __typename?: 'DenialEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: Denial;
};

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

/** What a denied operation asked for, without what its caller wrote into it: texts are empty and numbers 0, unless they size a list. */
export type DeniedDocument = {
  __typename?: 'DeniedDocument';
  /** Of all denials with the same document. */
  id: Scalars['ID']['output'];
  /** The operation and the fragments that it uses, as a GraphQL document. */
  text: Scalars['String']['output'];
};

/** One member that a change sets to another value. */
export type Difference = {
  __typename?: 'Difference';
  /** As it is, or would be after a dry run; null: not there. */
  after?: Maybe<Scalars['JSON']['output']>;
  /** As it was; null: not there. */
  before?: Maybe<Scalars['JSON']['output']>;
  /** Which one: `capacity`, `limits[0].amount`. */
  path: Scalars['String']['output'];
};

/** A Redis with counters, as the process that answers sees it. */
export type EngineHealth = {
  __typename?: 'EngineHealth';
  /** How many processes share it, or did when it last answered: without it each decides on such a part of the limits. */
  instances: Scalars['Int']['output'];
  /** The pool of counters that it has; `default` where there is one. */
  pool: Scalars['String']['output'];
  /** What the last failure was; null: it answers. */
  reason?: Maybe<Scalars['String']['output']>;
  /** Since when it is so. */
  since: Scalars['DateTime']['output'];
  /** Whether it decides. */
  state: BreakerState;
};

/** How far the price of one call of a field is from what a call comes to. Costs are without what is below. */
export type FieldAccuracy = {
  __typename?: 'FieldAccuracy';
  /** How often it was resolved. */
  actualCalls: Scalars['SafeInt']['output'];
  /** What they were charged in the end. */
  actualCost: Scalars['SafeInt']['output'];
  /** What one call came to; null: it was never called. */
  actualCostPerCall?: Maybe<Scalars['Float']['output']>;
  /** How long its list is taken to be where no argument says so; null: it is no list, or arguments size it. */
  assumedSize?: Maybe<Scalars['Int']['output']>;
  /** How often it was to be resolved at most. */
  estimatedCalls: Scalars['SafeInt']['output'];
  /** What they were charged first, in tokens. */
  estimatedCost: Scalars['SafeInt']['output'];
  /** The price of one call; null: it was never to be called. */
  estimatedCostPerCall?: Maybe<Scalars['Float']['output']>;
  /** The coordinate of the field: `Type.field`. */
  field: Scalars['String']['output'];
  /** The second by the first: 0.1 is an estimate ten times too high. */
  ratio: Scalars['Float']['output'];
  /** Operations that ran. */
  requests: Scalars['SafeInt']['output'];
  /** The `assumedSize` for `@listSize` by which calls would have been priced right on average; null: it is right, or nothing to be set. */
  suggestedAssumedSize?: Maybe<Scalars['Int']['output']>;
  /** For a field that is no list: the weight for `@cost` by which calls would have been priced right on average; null: it is right. */
  suggestedWeight?: Maybe<Scalars['Float']['output']>;
};

/** One field of an operation. */
export type FieldCost = {
  __typename?: 'FieldCost';
  /** How often it is resolved at most. */
  calls: Scalars['SafeInt']['output'];
  /** `Type.field`, as the operation selects it. */
  coordinate: Scalars['String']['output'];
  /** What these calls and their objects cost, without what is below them. */
  cost: Scalars['SafeInt']['output'];
};

/** An amount for each window of the clock. */
export type FixedWindowLimit = {
  __typename?: 'FixedWindowLimit';
  /** How much is admitted in each window. */
  amount: Scalars['Int']['output'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: Maybe<Scalars['Boolean']['output']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: Maybe<Scalars['String']['output']>;
  /** How long a window is, in milliseconds: a minute is 60000. */
  windowMs: Scalars['SafeInt']['output'];
};

/** A list whose price is a guess: nothing says how long it is, always or while its arguments are left out. */
export type GuessedPrice = {
  __typename?: 'GuessedPrice';
  /** Of the field that returns the list: `Type.field`. */
  coordinate: Scalars['String']['output'];
  /** What counts instead, and the annotation to add. */
  message: Scalars['String']['output'];
};

/** Whether the platform works as it should. */
export type Health = {
  __typename?: 'Health';
  /** The PostgreSQL with tiers, rules and usage. */
  database: DatabaseHealth;
  /** Each Redis with counters; empty: they are in the memory of the process that answers. */
  engines: Array<EngineHealth>;
  /** The number of the latest change that is stored; null: not known now. */
  latestChange?: Maybe<Scalars['Int']['output']>;
  /** There are no problems. */
  ok: Scalars['Boolean']['output'];
  /** What is wrong, in words: a rule in the tables that is not valid, an outage. */
  problems: Array<Scalars['String']['output']>;
  /** The process that answers. */
  process: ProcessHealth;
  /** Where the rules in force were read: `postgres`, `redis` or `snapshot`, the file on disk; null: not known. */
  rulesetSource?: Maybe<Scalars['String']['output']>;
  /** The number of the latest change of a tier or rule that is in force in the process that answers; null: not known. */
  rulesetVersion?: Maybe<Scalars['Int']['output']>;
};

/** A caller who takes many of the decisions. */
export type HotCaller = {
  __typename?: 'HotCaller';
  /** The one who asks. */
  caller: Caller;
  /** Decisions a second, admitted and denied, of all processes together: at least so many. Over ten to twenty seconds, fewer in a process that has just started. */
  decisionsPerSecond: Scalars['Float']['output'];
};

/** The callers who take most of the decisions of all processes, now. */
export type HotCallers = {
  __typename?: 'HotCallers';
  /** The busiest first. */
  callers: Array<HotCaller>;
  /** How many processes have answered. */
  processes: Scalars['Int']['output'];
  /** When it was asked of the processes. */
  time: Scalars['DateTime']['output'];
};

/** A process that runs on this database, by its heartbeat every 5 seconds. One that ends takes itself off the list; one that is killed is off it after 15 seconds. A server without a PostgreSQL is not listed; `EngineHealth.instances` counts it where it shares a Redis. */
export type Instance = {
  __typename?: 'Instance';
  /** The name of its machine or container. */
  host: Scalars['String']['output'];
  /** Made up at its start. */
  id: Scalars['String']['output'];
  /** It is the one that answers. */
  isAnswering: Scalars['Boolean']['output'];
  /** When its last heartbeat came. */
  lastSeenAt: Scalars['DateTime']['output'];
  /** The part of each limit that it decides on while Redis is away: 0.25 of four; 1 where it shares its counters with no other. */
  localShare: Scalars['Float']['output'];
  /** The number of its process there. */
  pid: Scalars['Int']['output'];
  /** What was wrong, in words. */
  problems: Array<Scalars['String']['output']>;
  /** What it protects, by the option `service`; null: it has no name. */
  service?: Maybe<Scalars['String']['output']>;
  /** When it was started. */
  startedAt: Scalars['DateTime']['output'];
  /** How it was doing then. */
  state: InstanceState;
  /** The version of Tollgate. */
  version: Scalars['String']['output'];
};

/** How a process is doing. */
export type InstanceState =
  /** It decides without something that it needs: `problems` says without what. */
  | 'DEGRADED'
  /** It works as it should. */
  | 'READY';

/** A constant outflow: what comes too fast waits or is denied. */
export type LeakyBucketLimit = {
  __typename?: 'LeakyBucketLimit';
  /** How much fits into the bucket, so how much may be spent at once. */
  capacity: Scalars['Int']['output'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: Maybe<Scalars['Boolean']['output']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: Maybe<Scalars['String']['output']>;
  /** How far below zero a settlement may take it; absent: one capacity. */
  maxDebt?: Maybe<Scalars['Int']['output']>;
  /** How much flows back, evenly, in each `refillPeriodMs`. */
  refillAmount: Scalars['Int']['output'];
  /** The period of the refill: 100 an hour is 100 per 3600000. */
  refillPeriodMs: Scalars['SafeInt']['output'];
};

/** One limit that applies to the subject, and how much of it is left. */
export type LimitQuota = {
  __typename?: 'LimitQuota';
  /** What is counted: `Query.search`, `Query.*`, or `*`: all. */
  field: Scalars['String']['output'];
  /** How much there is when nothing is used. */
  limit: Scalars['SafeInt']['output'];
  /** The pool whose Redis counts it; `default`: it is in none. */
  pool: Scalars['String']['output'];
  /** How much can be spent now. */
  remaining: Scalars['SafeInt']['output'];
  /** When all of it is there again, if nothing more is spent. */
  resetAt: Scalars['DateTime']['output'];
  /** Milliseconds until one can be spent; 0: something is left. */
  retryAfterMs: Scalars['SafeInt']['output'];
  /** The rule, or the tier, that the limit comes from. */
  rule: Scalars['String']['output'];
  /** Who shares this counter. */
  scope: Scope;
  /** How much is used now. More than the limit while there is debt. */
  used: Scalars['SafeInt']['output'];
};

/** What a caller did in the period. */
export type LiveCaller = {
  __typename?: 'LiveCaller';
  /** The one who asked. */
  caller: Caller;
  /** What was spent, in tokens. */
  cost: Scalars['SafeInt']['output'];
  /** Operations decided, admitted and denied. */
  decisions: Scalars['SafeInt']['output'];
  /** Operations denied. */
  denied: Scalars['SafeInt']['output'];
};

/** What all processes of the platform decided in the last ten seconds, in whole numbers. */
export type LiveTraffic = {
  __typename?: 'LiveTraffic';
  /** Operations admitted. */
  admitted: Scalars['SafeInt']['output'];
  /** Who spent most, the first 50 at most. Of each process and second, the first 1,000 different callers are looked at. */
  callers: Array<LiveCaller>;
  /** What was spent, in tokens. */
  cost: Scalars['SafeInt']['output'];
  /** Operations, admitted or denied, that were decided without the shared counters. */
  degraded: Scalars['SafeInt']['output'];
  /** Who takes most decisions, the busiest first: as many as `top` says, 32 at most. Counted all the time, and not only while a subscription is open. */
  hotCallers: Array<HotCaller>;
  /** Operations denied as they are too expensive ever to be admitted. */
  maxCostExceeded: Scalars['SafeInt']['output'];
  /** How many milliseconds all numbers are of: up to 10000, less at first, as nothing is counted while no subscription is open. */
  periodMs: Scalars['Int']['output'];
  /** How many processes it is the sum of. */
  processes: Scalars['Int']['output'];
  /** Operations denied as a limit had no room left. */
  throttled: Scalars['SafeInt']['output'];
  /** When it was added up. */
  time: Scalars['DateTime']['output'];
  /** Operations denied as their limits could not be asked. */
  unavailable: Scalars['SafeInt']['output'];
};

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

/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type Mutation = {
  __typename?: 'Mutation';
  /** Makes a token. Its secret is shown this once. */
  adminTokenCreate?: Maybe<AdminTokenPayload>;
  /** Ends the token of an administrator. */
  adminTokenRevoke?: Maybe<AdminTokenPayload>;
  /** Makes a new token in place of an old one, which ends at once or after a while. */
  adminTokenRotate?: Maybe<AdminTokenPayload>;
  /** Makes a key. Its secret is shown this once. */
  apiKeyCreate?: Maybe<ApiKeyPayload>;
  /** Ends a key everywhere within two seconds. */
  apiKeyRevoke?: Maybe<ApiKeyPayload>;
  /** Makes a new key in place of an old one. */
  apiKeyRotate?: Maybe<ApiKeyPayload>;
  /** Logs a browser out, on all instances at once. Its token stays good: revoke that to keep its holder out. */
  consoleSessionEnd?: Maybe<ConsoleSessionPayload>;
  /** Turns the made-up callers of the sample API on or off. */
  demoTrafficSet: DemoTraffic;
  /** Makes tiers and rules what a document says. */
  policySync?: Maybe<PolicySyncPayload>;
  /** Adds a rule. In force everywhere within two seconds. */
  ruleCreate?: Maybe<RulePayload>;
  /** Undoes: brings a rule, or an earlier version, back. */
  ruleRestore?: Maybe<RulePayload>;
  /** Takes a rule out of use. */
  ruleRetire?: Maybe<RulePayload>;
  /** Switches a rule off, to shadow, or on. */
  ruleSetMode?: Maybe<RulePayload>;
  /** Changes a rule. Counters go on, but where algorithm, window or what is counted becomes another one. */
  ruleUpdate?: Maybe<RulePayload>;
  /** Makes the gateway that answers read the schema of its API and its file of prices again now, in place of at its next look. Each is put in force whole, or not at all, with the reasons in `userErrors`. Other gateways follow at their next look. */
  schemaRefresh: SchemaRefreshPayload;
  /** Puts a user or a tenant on a tier. What was spent stays spent. */
  subjectAssignTier?: Maybe<SubjectPayload>;
  /** Puts up to 500 users and tenants on tiers, all of them or none. */
  subjectAssignTiers?: Maybe<SubjectAssignTiersPayload>;
  /** Stores a user or a tenant that is not stored yet. */
  subjectCreate?: Maybe<SubjectPayload>;
  /** Removes what is stored about a user or a tenant. What was spent stays spent. */
  subjectDelete?: Maybe<SubjectDeletePayload>;
  /** Shuts a user or a tenant out, or lets it in again. */
  subjectDisable?: Maybe<SubjectPayload>;
  /** Gives a caller full quotas again, at once and everywhere. */
  subjectResetQuota?: Maybe<SubjectResetQuotaPayload>;
  /** Gives a user or a tenant a bucket of its own. */
  subjectSetOverride?: Maybe<SubjectPayload>;
  /** Adds a tier. */
  tierCreate?: Maybe<TierPayload>;
  /** Takes a tier out of use that nobody is on. */
  tierRetire?: Maybe<TierPayload>;
  /** Changes a tier. In force everywhere within two seconds; nobody gets a fresh bucket by it. */
  tierUpdate?: Maybe<TierPayload>;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationAdminTokenCreateArgs = {
  input: AdminTokenCreateInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationAdminTokenRevokeArgs = {
  input: AdminTokenRevokeInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationAdminTokenRotateArgs = {
  input: AdminTokenRotateInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationApiKeyCreateArgs = {
  input: ApiKeyCreateInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationApiKeyRevokeArgs = {
  input: ApiKeyRevokeInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationApiKeyRotateArgs = {
  input: ApiKeyRotateInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationConsoleSessionEndArgs = {
  input: ConsoleSessionEndInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationDemoTrafficSetArgs = {
  isOn: Scalars['Boolean']['input'];
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationPolicySyncArgs = {
  input: PolicySyncInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationRuleCreateArgs = {
  input: RuleCreateInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationRuleRestoreArgs = {
  input: RuleRestoreInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationRuleRetireArgs = {
  input: RuleRetireInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationRuleSetModeArgs = {
  input: RuleSetModeInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationRuleUpdateArgs = {
  input: RuleUpdateInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationSchemaRefreshArgs = {
  input?: InputMaybe<SchemaRefreshInput>;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationSubjectAssignTierArgs = {
  input: SubjectAssignTierInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationSubjectAssignTiersArgs = {
  input: SubjectAssignTiersInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationSubjectCreateArgs = {
  input: SubjectCreateInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationSubjectDeleteArgs = {
  input: SubjectDeleteInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationSubjectDisableArgs = {
  input: SubjectDisableInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationSubjectResetQuotaArgs = {
  input: SubjectResetQuotaInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationSubjectSetOverrideArgs = {
  input: SubjectSetOverrideInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationTierCreateArgs = {
  input: TierCreateInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationTierRetireArgs = {
  input: TierRetireInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds. */
export type MutationTierUpdateArgs = {
  input: TierUpdateInput;
};

/** Whatever has an id. `node(id: ...)` finds it again. */
export type Node = {
  /** Unique over everything, and says nothing. Not for people. */
  id: Scalars['ID']['output'];
};

/** What becomes of a limit while its counters cannot be reached. */
export type OnUnavailable =
  /** It lets nothing through: 503. */
  | 'CLOSED'
  /** Each process decides by counters of its own. */
  | 'LOCAL'
  /** It lets everything through. */
  | 'OPEN';

/** How far the estimates of an operation are from what it costs. */
export type OperationAccuracy = {
  __typename?: 'OperationAccuracy';
  /** What they were charged in the end. */
  actualCost: Scalars['SafeInt']['output'];
  /** What they were charged first, in tokens. */
  estimatedCost: Scalars['SafeInt']['output'];
  /** Type and name of the operation. */
  operation: UsageOperation;
  /** The second by the first: 0.1 is an estimate ten times too high. */
  ratio: Scalars['Float']['output'];
  /** Operations that ran. */
  requests: Scalars['SafeInt']['output'];
};

/** How far apart single runs of an operation are: half of them are at most at p50, 95 of 100 at most at p95. */
export type OperationSpread = {
  __typename?: 'OperationSpread';
  /** How many runs were looked at. */
  decisions: Scalars['Int']['output'];
  /** What half of them cost at most in the end, in tokens. */
  p50Cost: Scalars['SafeInt']['output'];
  /** How long half of them took at most, from the decision to the answer. */
  p50DurationMs: Scalars['SafeInt']['output'];
  /** What 95 of 100 cost at most in the end, in tokens. */
  p95Cost: Scalars['SafeInt']['output'];
  /** How long 95 of 100 took at most, from the decision to the answer. */
  p95DurationMs: Scalars['SafeInt']['output'];
};

/** Kinds of operations. */
export type OperationType =
  /** It writes. */
  | 'MUTATION'
  /** It reads. */
  | 'QUERY'
  /** It listens for events. */
  | 'SUBSCRIPTION';

/** Whether there is more, and how to ask for it. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** Of the last element of this page. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** There is more: ask again with `after: endCursor`. */
  hasNextPage: Scalars['Boolean']['output'];
  /** There was something before: this page was asked for with `after`. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** Of the first element of this page. */
  startCursor?: Maybe<Scalars['String']['output']>;
};

/** What happens to one tier or rule. */
export type PolicyAction =
  /** The document has it, the store does not. */
  | 'CREATE'
  /** The store has it, the document does not, and `prune` was asked for. */
  | 'RETIRE'
  /** Both have it, and they differ. */
  | 'UPDATE';

/** How the store gets from what it has to what the document says. */
export type PolicyPlan = {
  __typename?: 'PolicyPlan';
  /** What changes; empty: nothing. */
  steps: Array<PolicyStep>;
  /** The same for people, as `tollgate rules plan` prints it. */
  text: Scalars['String']['output'];
  /** How many tiers and rules are as the document says already. */
  unchanged: Scalars['Int']['output'];
};

/** What happens to one tier or rule. */
export type PolicyStep = {
  __typename?: 'PolicyStep';
  /** What happens to it. */
  action: PolicyAction;
  /** What is different afterwards. */
  differences: Array<Difference>;
  /** Whether it is about a tier or about a rule. */
  kind: PolicyStepKind;
  /** The name of the tier or rule. */
  name: Scalars['String']['output'];
  /** What you may not have meant. */
  warnings: Array<Scalars['String']['output']>;
};

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

/** What became of a document. */
export type PolicySyncPayload = {
  __typename?: 'PolicySyncPayload';
  /** It was done, not only planned. */
  applied: Scalars['Boolean']['output'];
  /** What changes, or was changed; null with user errors. */
  plan?: Maybe<PolicyPlan>;
  /** What is wrong with the document, all of it; nothing was changed. */
  userErrors: Array<UserError>;
  /** The number of the latest change of a tier or a rule, for `expectedVersion`; null where it was not read. */
  version?: Maybe<Scalars['SafeInt']['output']>;
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

/** What one operation may ask for on a tier, whatever the bucket holds. */
export type PreviewedCeiling = {
  __typename?: 'PreviewedCeiling';
  /** What is counted: `COST`, `NODES`, `TYPE_COST` or `FIELD_COST`. */
  amount: Measure;
  /** More than this is refused. */
  maximum: Scalars['SafeInt']['output'];
  /** How much the operation asks for at most. */
  requested: Scalars['SafeInt']['output'];
};

/** One limit that would have to have room for the operation. */
export type PreviewedLimit = {
  __typename?: 'PreviewedLimit';
  /** What the operation would be charged here. */
  cost: Scalars['SafeInt']['output'];
  /** What is counted: `Query.search`, `Query.*`, `*`. */
  field: Scalars['String']['output'];
  /** How much there is when nothing is used. */
  limit: Scalars['SafeInt']['output'];
  /** Whether its cost, its calls or the operation itself is counted. */
  measure: Measure;
  /** `ENFORCE`, or `SHADOW`: reported only. */
  mode: RuleMode;
  /** Whether instances may take tokens of it ahead: then what others hold counts as used. */
  precision: Precision;
  /** How much is left before the operation. */
  remaining: Scalars['SafeInt']['output'];
  /** When all of it is there again, if nothing more is spent. */
  resetAt: Scalars['DateTime']['output'];
  /** Milliseconds until it would have room; 0: now, or never. */
  retryAfterMs: Scalars['SafeInt']['output'];
  /** The rule it comes from, or `tier:NAME` for the bucket of the tier. */
  rule: Scalars['String']['output'];
  /** Who shares its counter. */
  scope: Scope;
  /** It lacks room. A shadow denies nobody all the same. */
  wouldDeny: Scalars['Boolean']['output'];
};

/** What a tier costs per month. */
export type Price = {
  __typename?: 'Price';
  /** In the smallest unit of the currency: 4900 USD is 49 dollars. */
  amountMinor: Scalars['SafeInt']['output'];
  /** ISO 4217: `USD`, `EUR`. */
  currency: Scalars['String']['output'];
};

/** What a tier costs per month. */
export type PriceInput = {
  /** In the smallest unit of the currency: 4900 USD is 49 dollars. */
  amountMinor: Scalars['SafeInt']['input'];
  /** ISO 4217, three capital letters: `USD`, `EUR`. */
  currency: Scalars['String']['input'];
};

/** The process that answers. */
export type ProcessHealth = {
  __typename?: 'ProcessHealth';
  /** The version of Node.js. */
  nodeVersion: Scalars['String']['output'];
  /** When it was started. */
  startedAt: Scalars['DateTime']['output'];
  /** The version of Tollgate. */
  version: Scalars['String']['output'];
};

/** What an administrator can look up. Nothing here changes anything. */
export type Query = {
  __typename?: 'Query';
  /** The tokens of administrators, oldest first. For admins. */
  adminTokens: AdminTokenConnection;
  /** Who changed what and who was denied what, newest first. */
  changes: ChangeConnection;
  /** Which limits would decide on an operation now, what each would be charged, and what the end would be. Nothing is charged. `chargePreview(input: {query: "{ countries { name } }", as: {user: "42"}}) { preview { verdict } }`. */
  chargePreview: ChargePreviewPayload;
  /** The browsers that are logged in to the console, in the order in which they came. For admins. */
  consoleSessions: ConsoleSessionConnection;
  /** What an operation of the protected API costs at most, and why: `costExplain(input: {query: "{ countries { name } }"}) { explanation { cost } }`. */
  costExplain: CostExplainPayload;
  /** Null: this process serves no sample API. */
  demoTraffic?: Maybe<DemoTraffic>;
  /** What was denied, by which rule, with its numbers; newest first. A sample where much was: `violations` counts all. */
  denials: DenialConnection;
  /** What denied operations with this document asked for; null: it is not kept any more. */
  deniedDocument?: Maybe<DeniedDocument>;
  /** How far the prices of fields lie from what their calls came to, and what to set: the most tokens first. */
  fieldAccuracy: Array<FieldAccuracy>;
  /** Lists of the protected API whose price is a guess, each with what to add; first those that have no size at all. */
  guessedPrices: Array<GuessedPrice>;
  /** Whether the platform works as it should. */
  health: Health;
  /** Who takes most decisions now, of all processes that share a Redis. A process tells 32 callers apart: one who takes more than that part of its decisions is never missed. */
  hotCallers: HotCallers;
  /** The processes that run on this database: those without a service, then by service, the oldest first. */
  instances: Array<Instance>;
  /** Whatever has this id; null when there is nothing. */
  node?: Maybe<Node>;
  /** How far estimates lie from what operations came to: the most tokens first. */
  operationAccuracy: Array<OperationAccuracy>;
  /** What any caller may spend now, stored or not; null for an API key that is unknown, revoked or expired. */
  quota?: Maybe<Quota>;
  /** The rule with this id, also when it is retired; or the rule in use of this name. */
  rule?: Maybe<Rule>;
  /** Which callers a draft of a rule would have denied, by the decisions of the last day or less. Nothing is saved or charged. */
  ruleSimulate: RuleSimulationPayload;
  /** The rules: those stored, oldest first, then those in code. */
  rules: RuleConnection;
  /** The fields of the schema in force with their weights, and where the sizes of lists come from; by coordinate. */
  schemaFields: SchemaFieldConnection;
  /** The schema of the protected API as SDL, for editors that complete and check; without annotations of prices. */
  schemaSdl: Scalars['String']['output'];
  /** The APIs whose servers have published their schemas: `createTollgate({ service, ... })`. By name. */
  services: Array<Service>;
  /** The settings in force in the process that answers, without secrets. */
  settings: Array<Setting>;
  /** What is stored about exactly this user of this tenant, or this tenant as a whole; null: nothing. */
  subject?: Maybe<Subject>;
  /** The users and tenants of which something is stored, oldest first. */
  subjects: SubjectConnection;
  /** The tier in use of that name; null when there is none. */
  tier?: Maybe<Tier>;
  /** The tiers, by name. */
  tiers: TierConnection;
  /** The callers who used the most, the most first. */
  topCallers: TopCallerConnection;
  /** The fields that used the most, without what is selected below them, the most first. */
  topFields: TopFieldConnection;
  /** The operations that used the most, the most first. */
  topOperations: TopOperationConnection;
  /** The tenants that used the most, each with all its callers, the most first. */
  topTenants: TopTenantConnection;
  /** What was used, in buckets of time, oldest first. Buckets in which nothing was asked for are left out. */
  usage: UsageConnection;
  /** Who you are here, and what you may do. */
  viewer: Viewer;
  /** Which rules denied which callers, and how often; most often first. */
  violations: ViolationConnection;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryAdminTokensArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryChangesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ChangeFilter>;
  first?: Scalars['Int']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryChargePreviewArgs = {
  input: ChargePreviewInput;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryConsoleSessionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryCostExplainArgs = {
  input: CostExplainInput;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryDenialsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<DenialFilter>;
  first?: Scalars['Int']['input'];
  range?: InputMaybe<TimeRangeInput>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryDeniedDocumentArgs = {
  id: Scalars['ID']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryFieldAccuracyArgs = {
  first?: Scalars['Int']['input'];
  range?: InputMaybe<TimeRangeInput>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryGuessedPricesArgs = {
  first?: Scalars['Int']['input'];
  service?: InputMaybe<Scalars['String']['input']>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryHotCallersArgs = {
  top?: Scalars['Int']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryInstancesArgs = {
  first?: Scalars['Int']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryOperationAccuracyArgs = {
  first?: Scalars['Int']['input'];
  range?: InputMaybe<TimeRangeInput>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryQuotaArgs = {
  subject: SubjectInput;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryRuleArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryRuleSimulateArgs = {
  input: RuleSimulateInput;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryRulesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RuleFilter>;
  first?: Scalars['Int']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QuerySchemaFieldsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  service?: InputMaybe<Scalars['String']['input']>;
  startsWith?: InputMaybe<Scalars['String']['input']>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QuerySchemaSdlArgs = {
  service?: InputMaybe<Scalars['String']['input']>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QuerySubjectArgs = {
  tenant?: InputMaybe<Scalars['String']['input']>;
  user?: InputMaybe<Scalars['String']['input']>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QuerySubjectsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<SubjectFilter>;
  first?: Scalars['Int']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryTierArgs = {
  name: Scalars['String']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryTiersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  retired?: Scalars['Boolean']['input'];
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryTopCallersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<UsageFilter>;
  first?: Scalars['Int']['input'];
  orderBy?: UsageMeasure;
  range?: InputMaybe<TimeRangeInput>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryTopFieldsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<UsageFilter>;
  first?: Scalars['Int']['input'];
  orderBy?: UsageMeasure;
  range?: InputMaybe<TimeRangeInput>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryTopOperationsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<UsageFilter>;
  first?: Scalars['Int']['input'];
  orderBy?: UsageMeasure;
  range?: InputMaybe<TimeRangeInput>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryTopTenantsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<UsageFilter>;
  first?: Scalars['Int']['input'];
  orderBy?: UsageMeasure;
  range?: InputMaybe<TimeRangeInput>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryUsageArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  bucket?: InputMaybe<UsageBucket>;
  filter?: InputMaybe<UsageFilter>;
  first?: Scalars['Int']['input'];
  groupBy?: Array<UsageGroup>;
  range?: InputMaybe<TimeRangeInput>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryViolationsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ViolationFilter>;
  first?: Scalars['Int']['input'];
  range?: InputMaybe<TimeRangeInput>;
};

/** What a subject may spend at this moment. Reading it costs the subject nothing. */
export type Quota = {
  __typename?: 'Quota';
  /** The subject, or its tenant, is shut out: it may spend nothing at all. */
  disabled: Scalars['Boolean']['output'];
  /** How many limits apply to the subject, however many of them are asked for. */
  limitCount: Scalars['Int']['output'];
  /** Every limit that applies to the subject whatever it asks for; with `first`, those of which least is left. */
  limits: Array<LimitQuota>;
  /** The tier that the subject is on. */
  tier: Tier;
};


/** What a subject may spend at this moment. Reading it costs the subject nothing. */
export type QuotaLimitsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** What is limited, for which callers, and how. Rules of different levels (scope, field, measure) apply together. */
export type Rule = Node & {
  __typename?: 'Rule';
  /** What becomes of operations that exceed it. */
  action: RuleAction;
  /** When the rule was created; in code: when it was published, or its server started. */
  createdAt: Scalars['DateTime']['output'];
  /** What the rule denied, or in shadow would have, with its numbers; newest first. A sample where that is much: `violations` counts all. */
  denials: DenialConnection;
  /** For the people who administer it. */
  description?: Maybe<Scalars['String']['output']>;
  /** What is counted: `Query.search`, `Query.*`, `*.posts`, or `*`: all. */
  field: Scalars['String']['output'];
  /** Who changed the rule, newest first. `ruleRestore` goes back to a `version` of it. */
  history: ChangeConnection;
  /** Unique over everything, and says nothing. Not for people. */
  id: Scalars['ID']['output'];
  /** All of them have to have room. */
  limits: Array<RuleLimit>;
  /** Which operations and callers it is for. */
  match: RuleMatch;
  /** What its limits count: tokens, calls, requests, objects. */
  measure: Measure;
  /** Whether it denies. */
  mode: RuleMode;
  /** What denials call it: 1 to 100 characters of ASCII, unique in use. */
  name: Scalars['String']['output'];
  /** What becomes of it while its counters cannot be reached. */
  onUnavailable: OnUnavailable;
  /** How its limits count. */
  precision: Precision;
  /** Of the rules of one level that match, only the lowest applies. */
  priority: Scalars['Int']['output'];
  /** What its denials say instead of the usual. */
  response?: Maybe<RuleResponse>;
  /** When the rule was taken out of use; null: it is in use. */
  retiredAt?: Maybe<Scalars['DateTime']['output']>;
  /** Percent of tenants, else users: always the same ones. */
  rolloutPercent: Scalars['Float']['output'];
  /** Who shares its counters. */
  scope: Scope;
  /** The service whose code it is in; null: it is stored, or in the code of a server without a name. */
  service?: Maybe<Scalars['String']['output']>;
  /** How many operations ran that the rule would have denied, had it not been in shadow. */
  shadowDenied: Scalars['SafeInt']['output'];
  /** Where it is defined. */
  source: RuleSource;
  /** When the rule was last changed. */
  updatedAt: Scalars['DateTime']['output'];
  /** What the rule applied to, in buckets of time, oldest first. Costs are in what it measures. */
  usage: RuleUsageConnection;
  /** Rises by one with each change. Send it back as `expectedVersion`. */
  version: Scalars['Int']['output'];
  /** Whom the rule denied, and how often; most often first. */
  violations: ViolationConnection;
};


/** What is limited, for which callers, and how. Rules of different levels (scope, field, measure) apply together. */
export type RuleDenialsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  range?: InputMaybe<TimeRangeInput>;
};


/** What is limited, for which callers, and how. Rules of different levels (scope, field, measure) apply together. */
export type RuleHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


/** What is limited, for which callers, and how. Rules of different levels (scope, field, measure) apply together. */
export type RuleShadowDeniedArgs = {
  range?: InputMaybe<TimeRangeInput>;
};


/** What is limited, for which callers, and how. Rules of different levels (scope, field, measure) apply together. */
export type RuleUsageArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  bucket?: InputMaybe<UsageBucket>;
  first?: Scalars['Int']['input'];
  range?: InputMaybe<TimeRangeInput>;
};


/** What is limited, for which callers, and how. Rules of different levels (scope, field, measure) apply together. */
export type RuleViolationsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  range?: InputMaybe<TimeRangeInput>;
};

/** What a rule does. */
export type RuleAction = {
  __typename?: 'RuleAction';
  /** THROTTLE: how long an operation may have to wait, in milliseconds. */
  maxDelayMs?: Maybe<Scalars['Int']['output']>;
  /** What becomes of operations that exceed it. */
  type: RuleActionType;
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

/** A page of rules. */
export type RuleConnection = {
  __typename?: 'RuleConnection';
  /** The rules of this page, each with its cursor. */
  edges: Array<RuleEdge>;
  /** The rules of this page. */
  nodes: Array<Rule>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
  /** How many all pages have, up to 10000; null in nested lists. */
  totalCount?: Maybe<Scalars['Int']['output']>;
};

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

/** One of the rules, and where it stands in the list. */
export type RuleEdge = {
  __typename?: 'RuleEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: Rule;
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

/** One number enforced over time; the type says by which algorithm. */
export type RuleLimit = ConcurrencyLimit | FixedWindowLimit | LeakyBucketLimit | SlidingWindowCounterLimit | SlidingWindowLogLimit | TokenBucketLimit;

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

/** Which operations and callers a rule is for. An empty list is for all. */
export type RuleMatch = {
  __typename?: 'RuleMatch';
  /** Addresses and CIDR blocks. */
  addresses: Array<Scalars['String']['output']>;
  /** Names of clients, as their header `apollographql-client-name` gives them. */
  clients: Array<Scalars['String']['output']>;
  /** Names of operations, as their documents give them. */
  operationNames: Array<Scalars['String']['output']>;
  /** Kinds of operations. */
  operationTypes: Array<OperationType>;
  /** Names of tiers. */
  tiers: Array<Scalars['String']['output']>;
};

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

/** What became of a change to a rule. */
export type RulePayload = {
  __typename?: 'RulePayload';
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** As it is now, or would be; with user errors: as it is. */
  rule?: Maybe<Rule>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
};

/** What a denial by the rule says instead of the usual. */
export type RuleResponse = {
  __typename?: 'RuleResponse';
  /** `extensions.code`. */
  code?: Maybe<Scalars['String']['output']>;
  /** What `errors.message` says. */
  message?: Maybe<Scalars['String']['output']>;
  /** The HTTP status. */
  status?: Maybe<Scalars['Int']['output']>;
};

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

/** Recorded decisions, made again by the rules in force and once more with the draft, with counters that were empty at first. */
export type RuleSimulation = {
  __typename?: 'RuleSimulation';
  /** The callers, most denied first. */
  callers: Array<SimulatedCaller>;
  /** What they were estimated at, in tokens. */
  cost: Scalars['SafeInt']['output'];
  /** Operations that were decided on, denied ones too. */
  decisions: Scalars['SafeInt']['output'];
  /** Admitted with the draft after a longer wait. */
  delayed: Scalars['SafeInt']['output'];
  /** What the draft would have refused, alone or with others. */
  denied: Scalars['SafeInt']['output'];
  /** Denied by the replay with the draft, by whichever rule. */
  deniedAfter: Scalars['SafeInt']['output'];
  /** Denied by the replay without the draft: near `recordedDenied` where rules and tiers are what they were then. */
  deniedBefore: Scalars['SafeInt']['output'];
  /** What those were estimated at. */
  deniedCost: Scalars['SafeInt']['output'];
  /** When the first of the decisions was made. */
  from: Scalars['DateTime']['output'];
  /** There were too many decisions: only the first of them were looked at. */
  isTruncated: Scalars['Boolean']['output'];
  /** Decisions of the range on which the draft was not tried, as they were recorded without the amount that it counts: before Tollgate recorded objects, type cost and field cost. They are in none of the other numbers. */
  leftOut: Scalars['SafeInt']['output'];
  /** Denied without the draft, admitted with it. */
  newlyAdmitted: Scalars['SafeInt']['output'];
  /** Admitted without the draft, denied with it, by whichever rule. */
  newlyDenied: Scalars['SafeInt']['output'];
  /** What those were estimated at. */
  newlyDeniedCost: Scalars['SafeInt']['output'];
  /** The operations, most denied first. */
  operations: Array<SimulatedOperation>;
  /** Denied, when they were decided. */
  recordedDenied: Scalars['SafeInt']['output'];
  /** The least share of callers whose decisions were kept: below 1 the numbers are those of that share. */
  sampled: Scalars['Float']['output'];
  /** Until when: the end that was asked for, or where the decisions were too many. */
  to: Scalars['DateTime']['output'];
  /** Why the draft, or another rule because of it, does nothing: it can never win, or no schema has its field. */
  warnings: Array<Scalars['String']['output']>;
};

/** What a draft would have meant, or why it cannot be tried out. */
export type RuleSimulationPayload = {
  __typename?: 'RuleSimulationPayload';
  /** Null with user errors. */
  simulation?: Maybe<RuleSimulation>;
  /** What is wrong with the draft; empty on success. */
  userErrors: Array<UserError>;
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

/** What a rule applied to in one bucket of time. Costs are in what it measures. */
export type RuleUsage = {
  __typename?: 'RuleUsage';
  /** What they were charged in the end. */
  actualCost: Scalars['SafeInt']['output'];
  /** Operations that were denied. */
  denied: Scalars['SafeInt']['output'];
  /** What the denied would have cost. */
  deniedCost: Scalars['SafeInt']['output'];
  /** What the operations that ran were charged first, in tokens. */
  estimatedCost: Scalars['SafeInt']['output'];
  /** Where the bucket begins. */
  from: Scalars['DateTime']['output'];
  /** Operations that were asked for, denied ones too. */
  requests: Scalars['SafeInt']['output'];
  /** Operations that ran, and a shadow rule would have denied. */
  shadowDenied: Scalars['SafeInt']['output'];
  /** Where it ends: until then the numbers still rise. */
  to: Scalars['DateTime']['output'];
};

/** A page of buckets of usage of a rule. */
export type RuleUsageConnection = {
  __typename?: 'RuleUsageConnection';
  /** The buckets of usage of a rule of this page, each with its cursor. */
  edges: Array<RuleUsageEdge>;
  /** The buckets of usage of a rule of this page. */
  nodes: Array<RuleUsage>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
};

/** One of the buckets of usage of a rule, and where it stands in the list. */
export type RuleUsageEdge = {
  __typename?: 'RuleUsageEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: RuleUsage;
};

/** A field of a protected API as it is priced now. */
export type SchemaField = {
  __typename?: 'SchemaField';
  /** How long its list is taken to be where neither an argument nor a field above says so. */
  assumedSize?: Maybe<Scalars['Int']['output']>;
  /** `Type.field`. */
  coordinate: Scalars['String']['output'];
  /** A complexity function in code prices it. */
  isComputed: Scalars['Boolean']['output'];
  /** The size comes from what arguments are named, of it or of a field above, and no annotation says so: `@listSize` makes sure. */
  isSizeInferred: Scalars['Boolean']['output'];
  /** The rules in use that are written for it: by its coordinate, for its type or for its name; not those for every field. Of each of these at most 10. */
  rules: Array<Rule>;
  /** The arguments that say how long its list is. */
  sizeArguments: Array<Scalars['String']['output']>;
  /** Where the size of its list comes from; null: it is no list. */
  sizeSource?: Maybe<SizeSource>;
  /** What it returns, as SDL has it: `[Country!]!`. */
  type: Scalars['String']['output'];
  /** What one object that it returns costs, as annotated; null: as the profile has it. */
  typeWeight?: Maybe<Scalars['Float']['output']>;
  /** What one call costs, as annotated; null: as the profile has it. */
  weight?: Maybe<Scalars['Float']['output']>;
};

/** A page of fields. */
export type SchemaFieldConnection = {
  __typename?: 'SchemaFieldConnection';
  /** The fields of this page, each with its cursor. */
  edges: Array<SchemaFieldEdge>;
  /** The fields of this page. */
  nodes: Array<SchemaField>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
  /** How many all pages have, up to 10000; null in nested lists. */
  totalCount?: Maybe<Scalars['Int']['output']>;
};

/** One of the fields, and where it stands in the list. */
export type SchemaFieldEdge = {
  __typename?: 'SchemaFieldEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: SchemaField;
};

/** Why a gateway is to read its schema again. */
export type SchemaRefreshInput = {
  /** Why: the record of changes keeps it, up to 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
};

/** What became of the schema and the prices of a gateway. */
export type SchemaRefreshPayload = {
  __typename?: 'SchemaRefreshPayload';
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** Whether another schema or other prices are in force than before. */
  isChanged: Scalars['Boolean']['output'];
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
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

/** An API whose schema can be spoken of: explained, previewed, simulated with. */
export type Service = {
  __typename?: 'Service';
  /** Of the schema and its prices: SHA-256, in hexadecimal. */
  hash: Scalars['String']['output'];
  /** For the argument `service`. */
  name: Scalars['String']['output'];
  /** When a server was started that brought this schema. */
  publishedAt: Scalars['DateTime']['output'];
};

/** A setting in force in the process that answers. Secrets are no part of it. */
export type Setting = {
  __typename?: 'Setting';
  /** The name of the option of `createTollgate`: `cost.profile`. */
  name: Scalars['String']['output'];
  /** What its number counts: `milliseconds`; null: it is no number of anything. */
  unit?: Maybe<Scalars['String']['output']>;
  /** Its value; of a Redis or PostgreSQL whether it is there. */
  value?: Maybe<Scalars['JSON']['output']>;
};

/** What the draft would have meant for one caller. */
export type SimulatedCaller = {
  __typename?: 'SimulatedCaller';
  /** The one who asked. */
  caller: Caller;
  /** What they were estimated at, in tokens. */
  cost: Scalars['SafeInt']['output'];
  /** Operations that were decided on, denied ones too. */
  decisions: Scalars['SafeInt']['output'];
  /** What the draft would have refused, alone or with others. */
  denied: Scalars['SafeInt']['output'];
  /** What those were estimated at. */
  deniedCost: Scalars['SafeInt']['output'];
  /** Admitted without the draft, denied with it, by whichever rule. */
  newlyDenied: Scalars['SafeInt']['output'];
  /** What those were estimated at. */
  newlyDeniedCost: Scalars['SafeInt']['output'];
};

/** What the draft would have meant for operations of one type and name. */
export type SimulatedOperation = {
  __typename?: 'SimulatedOperation';
  /** What they were estimated at, in tokens. */
  cost: Scalars['SafeInt']['output'];
  /** Operations that were decided on, denied ones too. */
  decisions: Scalars['SafeInt']['output'];
  /** What the draft would have refused, alone or with others. */
  denied: Scalars['SafeInt']['output'];
  /** What those were estimated at. */
  deniedCost: Scalars['SafeInt']['output'];
  /** The name that the client gave them; null: none. */
  name?: Maybe<Scalars['String']['output']>;
  /** Admitted without the draft, denied with it, by whichever rule. */
  newlyDenied: Scalars['SafeInt']['output'];
  /** What those were estimated at. */
  newlyDeniedCost: Scalars['SafeInt']['output'];
  /** The kind of operation. */
  type: OperationType;
};

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

/** An amount for a window that moves with time, weighted. */
export type SlidingWindowCounterLimit = {
  __typename?: 'SlidingWindowCounterLimit';
  /** How much is admitted in each window. */
  amount: Scalars['Int']['output'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: Maybe<Scalars['Boolean']['output']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: Maybe<Scalars['String']['output']>;
  /** Exact: never more than `amount` in any window, wherever it begins. */
  strict?: Maybe<Scalars['Boolean']['output']>;
  /** How long a window is, in milliseconds: a minute is 60000. */
  windowMs: Scalars['SafeInt']['output'];
};

/** An amount for a window that moves with time, to the millisecond. */
export type SlidingWindowLogLimit = {
  __typename?: 'SlidingWindowLogLimit';
  /** How much is admitted in each window. */
  amount: Scalars['Int']['output'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: Maybe<Scalars['Boolean']['output']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: Maybe<Scalars['String']['output']>;
  /** How long a window is, in milliseconds: a minute is 60000. */
  windowMs: Scalars['SafeInt']['output'];
};

/** A user or a tenant of which something is stored. All others are on the default tier. */
export type Subject = Node & {
  __typename?: 'Subject';
  /** Its API keys, oldest first; revoked ones too. */
  apiKeys: ApiKeyConnection;
  /** The user, or the tenant as a whole. */
  caller: Caller;
  /** When it was stored. */
  createdAt: Scalars['DateTime']['output'];
  /** Since when it is shut out; null: it is not. */
  disabledAt?: Maybe<Scalars['DateTime']['output']>;
  /** Who changed it or its API keys, newest first. */
  history: ChangeConnection;
  /** Unique over everything, and says nothing. Not for people. */
  id: Scalars['ID']['output'];
  /** Its own bucket, as it was set, also when it has expired; null: the tier’s. */
  override?: Maybe<BucketOverride>;
  /** What it may spend now. Reading it costs it nothing. */
  quotaNow: Quota;
  /** The tier assigned to it itself; null: its tenant’s, else the default one. */
  tier?: Maybe<Tier>;
  /** When it was last changed. */
  updatedAt: Scalars['DateTime']['output'];
  /** When a tier was last assigned to it. */
  upgradedAt?: Maybe<Scalars['DateTime']['output']>;
  /** What it used, in buckets of time, oldest first; a tenant with all its users and keys. */
  usage: SubjectUsageConnection;
  /** Rises by one with each change. Send it back as `expectedVersion`. */
  version: Scalars['Int']['output'];
};


/** A user or a tenant of which something is stored. All others are on the default tier. */
export type SubjectApiKeysArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


/** A user or a tenant of which something is stored. All others are on the default tier. */
export type SubjectHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


/** A user or a tenant of which something is stored. All others are on the default tier. */
export type SubjectUsageArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  bucket?: InputMaybe<UsageBucket>;
  first?: Scalars['Int']['input'];
  range?: InputMaybe<TimeRangeInput>;
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

/** What became of many assignments. */
export type SubjectAssignTiersPayload = {
  __typename?: 'SubjectAssignTiersPayload';
  /** How many are on another tier than before; null with user errors. */
  assigned?: Maybe<Scalars['Int']['output']>;
  /** How many of those were not stored before. */
  created?: Maybe<Scalars['Int']['output']>;
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** How many were on their tier already. */
  unchanged?: Maybe<Scalars['Int']['output']>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
};

/** A page of users and tenants. */
export type SubjectConnection = {
  __typename?: 'SubjectConnection';
  /** The users and tenants of this page, each with its cursor. */
  edges: Array<SubjectEdge>;
  /** The users and tenants of this page. */
  nodes: Array<Subject>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
  /** How many all pages have, up to 10000; null in nested lists. */
  totalCount?: Maybe<Scalars['Int']['output']>;
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

/** What became of a removal. */
export type SubjectDeletePayload = {
  __typename?: 'SubjectDeletePayload';
  /** The id of what was removed, or would be after a dry run; null with user errors. */
  deletedId?: Maybe<Scalars['ID']['output']>;
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** With user errors: the subject as it is, if it is stored. */
  subject?: Maybe<Subject>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
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

/** One of the users and tenants, and where it stands in the list. */
export type SubjectEdge = {
  __typename?: 'SubjectEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: Subject;
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

/** What became of a change to a user or tenant. */
export type SubjectPayload = {
  __typename?: 'SubjectPayload';
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** As it is now, or would be; with user errors: as it is. */
  subject?: Maybe<Subject>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
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

/** What became of a reset. */
export type SubjectResetQuotaPayload = {
  __typename?: 'SubjectResetQuotaPayload';
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** What the caller may spend now, or could after a dry run; null with user errors. */
  quota?: Maybe<Quota>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
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

/** What a user or a tenant used in one bucket of time. */
export type SubjectUsage = {
  __typename?: 'SubjectUsage';
  /** What they were charged in the end. */
  actualCost: Scalars['SafeInt']['output'];
  /** Operations that were denied. */
  denied: Scalars['SafeInt']['output'];
  /** What the denied would have cost. */
  deniedCost: Scalars['SafeInt']['output'];
  /** What the operations that ran were charged first, in tokens. */
  estimatedCost: Scalars['SafeInt']['output'];
  /** Where the bucket begins. */
  from: Scalars['DateTime']['output'];
  /** Operations that were asked for, denied ones too. */
  requests: Scalars['SafeInt']['output'];
  /** Operations that ran, and a shadow rule would have denied. */
  shadowDenied: Scalars['SafeInt']['output'];
  /** Where it ends: until then the numbers still rise. */
  to: Scalars['DateTime']['output'];
};

/** A page of buckets of usage. */
export type SubjectUsageConnection = {
  __typename?: 'SubjectUsageConnection';
  /** The buckets of usage of this page, each with its cursor. */
  edges: Array<SubjectUsageEdge>;
  /** The buckets of usage of this page. */
  nodes: Array<SubjectUsage>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
};

/** One of the buckets of usage, and where it stands in the list. */
export type SubjectUsageEdge = {
  __typename?: 'SubjectUsageEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: SubjectUsage;
};

/** What an administrator can watch, over server-sent events at `/admin/graphql/stream`. */
export type Subscription = {
  __typename?: 'Subscription';
  /** The traffic of the last ten seconds, every second, over server-sent events at `/admin/graphql/stream`: `subscription { liveTraffic(top: 3) { admitted throttled cost callers { caller { name } cost } } }`. */
  liveTraffic: LiveTraffic;
};


/** What an administrator can watch, over server-sent events at `/admin/graphql/stream`. */
export type SubscriptionLiveTrafficArgs = {
  top?: Scalars['Int']['input'];
};

/** A plan: it gives each caller on it a token bucket, out of which operations are paid. Amounts are 1 to 2147483647; capacity x refillPeriodMs is at most 2^52. Ceilings hold whatever the bucket does. */
export type Tier = Node & {
  __typename?: 'Tier';
  /** How much the answers to its callers say of cost and limits. */
  answer: AnswerDetail;
  /** How many tokens fit in, so how many may be spent at once. */
  capacity: Scalars['Int']['output'];
  /** When the tier was created. */
  createdAt: Scalars['DateTime']['output'];
  /** The name that people read. */
  displayName: Scalars['String']['output'];
  /** Who changed the tier, newest first. */
  history: ChangeConnection;
  /** Unique over everything, and says nothing. Not for people. */
  id: Scalars['ID']['output'];
  /** What the code of each server that runs, or ran within a day, says of it; empty: none has it. */
  inCode: Array<TierInCode>;
  /** Callers without an assigned tier are on this one, of all tiers. */
  isDefault: Scalars['Boolean']['output'];
  /** The most tokens that one operation may cost; null: no ceiling. */
  maxCostPerOperation?: Maybe<Scalars['Int']['output']>;
  /** The highest field cost of one operation; null: no ceiling. */
  maxFieldCostPerOperation?: Maybe<Scalars['Int']['output']>;
  /** The most objects that one operation may return; null: no ceiling. */
  maxNodesPerOperation?: Maybe<Scalars['Int']['output']>;
  /** The highest type cost of one operation; null: no ceiling. */
  maxTypeCostPerOperation?: Maybe<Scalars['Int']['output']>;
  /** Per month; null: none is published. */
  monthlyPrice?: Maybe<Price>;
  /** Identifies the tier and never changes. */
  name: Scalars['String']['output'];
  /** How many whole tokens flow back, evenly, in each period. */
  refillAmount: Scalars['Int']['output'];
  /** The period of the refill: 100 an hour is 100 per 3600000. */
  refillPeriodMs: Scalars['SafeInt']['output'];
  /** When the tier was taken out of use; null: it is in use. */
  retiredAt?: Maybe<Scalars['DateTime']['output']>;
  /** Where what is in force of it comes from. */
  source: TierSource;
  /** When the tier was last changed. */
  updatedAt: Scalars['DateTime']['output'];
  /** Rises by one with each change. Send it back as `expectedVersion`. */
  version: Scalars['Int']['output'];
};


/** A plan: it gives each caller on it a token bucket, out of which operations are paid. Amounts are 1 to 2147483647; capacity x refillPeriodMs is at most 2^52. Ceilings hold whatever the bucket does. */
export type TierHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
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

/** A page of tiers. */
export type TierConnection = {
  __typename?: 'TierConnection';
  /** The tiers of this page, each with its cursor. */
  edges: Array<TierEdge>;
  /** The tiers of this page. */
  nodes: Array<Tier>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
  /** How many all pages have, up to 10000; null in nested lists. */
  totalCount?: Maybe<Scalars['Int']['output']>;
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

/** One of the tiers, and where it stands in the list. */
export type TierEdge = {
  __typename?: 'TierEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: Tier;
};

/** What the code of a server says of a tier. What is stored is in force. */
export type TierInCode = {
  __typename?: 'TierInCode';
  /** From what is stored to what the code says; empty: it says the same. */
  differences: Array<Difference>;
  /** The service whose code it is; null: a server without a name. */
  service?: Maybe<Scalars['String']['output']>;
};

/** What became of a change to a tier. */
export type TierPayload = {
  __typename?: 'TierPayload';
  /** What is different now, or would be after a dry run. */
  differences: Array<Difference>;
  /** As it is now, or would be; with user errors: as it is. */
  tier?: Maybe<Tier>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
  /** What you may not have meant; nothing was refused because of it. */
  warnings: Array<Scalars['String']['output']>;
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

/** Bursts up to the capacity, refilled evenly. */
export type TokenBucketLimit = {
  __typename?: 'TokenBucketLimit';
  /** How much fits into the bucket, so how much may be spent at once. */
  capacity: Scalars['Int']['output'];
  /** Denied operations are counted too: for rules against abuse. */
  countDenied?: Maybe<Scalars['Boolean']['output']>;
  /** Tells it from others of the rule that are otherwise alike. */
  key?: Maybe<Scalars['String']['output']>;
  /** How far below zero a settlement may take it; absent: one capacity. */
  maxDebt?: Maybe<Scalars['Int']['output']>;
  /** How much flows back, evenly, in each `refillPeriodMs`. */
  refillAmount: Scalars['Int']['output'];
  /** The period of the refill: 100 an hour is 100 per 3600000. */
  refillPeriodMs: Scalars['SafeInt']['output'];
};

/** One of the callers who used the most. */
export type TopCaller = {
  __typename?: 'TopCaller';
  /** What they were charged in the end. */
  actualCost: Scalars['SafeInt']['output'];
  /** The one whose usage this is. */
  caller: Caller;
  /** Operations that were denied. */
  denied: Scalars['SafeInt']['output'];
  /** What the denied would have cost. */
  deniedCost: Scalars['SafeInt']['output'];
  /** What the operations that ran were charged first, in tokens. */
  estimatedCost: Scalars['SafeInt']['output'];
  /** Operations that were asked for, denied ones too. */
  requests: Scalars['SafeInt']['output'];
  /** Operations that ran, and a shadow rule would have denied. */
  shadowDenied: Scalars['SafeInt']['output'];
  /** Its part of all, in what the list is ordered by: 0 to 1. */
  share: Scalars['Float']['output'];
};

/** A page of callers who used the most. */
export type TopCallerConnection = {
  __typename?: 'TopCallerConnection';
  /** The callers who used the most of this page, each with its cursor. */
  edges: Array<TopCallerEdge>;
  /** The callers who used the most of this page. */
  nodes: Array<TopCaller>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
};

/** One of the callers who used the most, and where it stands in the list. */
export type TopCallerEdge = {
  __typename?: 'TopCallerEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: TopCaller;
};

/** One of the fields that used the most. Costs are without what is below. */
export type TopField = {
  __typename?: 'TopField';
  /** How often it was resolved. */
  actualCalls: Scalars['SafeInt']['output'];
  /** What they were charged in the end. */
  actualCost: Scalars['SafeInt']['output'];
  /** Operations that were denied. */
  denied: Scalars['SafeInt']['output'];
  /** How often it was to be resolved at most. */
  estimatedCalls: Scalars['SafeInt']['output'];
  /** What the operations that ran were charged first, in tokens. */
  estimatedCost: Scalars['SafeInt']['output'];
  /** The coordinate of the field: `Type.field`. */
  field: Scalars['String']['output'];
  /** Operations that were asked for, denied ones too. */
  requests: Scalars['SafeInt']['output'];
  /** Its part of all, in what the list is ordered by: 0 to 1. */
  share: Scalars['Float']['output'];
};

/** A page of fields that used the most. */
export type TopFieldConnection = {
  __typename?: 'TopFieldConnection';
  /** The fields that used the most of this page, each with its cursor. */
  edges: Array<TopFieldEdge>;
  /** The fields that used the most of this page. */
  nodes: Array<TopField>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
};

/** One of the fields that used the most, and where it stands in the list. */
export type TopFieldEdge = {
  __typename?: 'TopFieldEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: TopField;
};

/** One of the operations that used the most. */
export type TopOperation = {
  __typename?: 'TopOperation';
  /** What they were charged in the end. */
  actualCost: Scalars['SafeInt']['output'];
  /** Operations that were denied. */
  denied: Scalars['SafeInt']['output'];
  /** What the denied would have cost. */
  deniedCost: Scalars['SafeInt']['output'];
  /** What the operations that ran were charged first, in tokens. */
  estimatedCost: Scalars['SafeInt']['output'];
  /** Type and name of the operation. */
  operation: UsageOperation;
  /** Operations that were asked for, denied ones too. */
  requests: Scalars['SafeInt']['output'];
  /** Operations that ran, and a shadow rule would have denied. */
  shadowDenied: Scalars['SafeInt']['output'];
  /** Its part of all, in what the list is ordered by: 0 to 1. */
  share: Scalars['Float']['output'];
  /** How far apart single runs are: of the newest 20000 decisions of all operations in this time that were logged. The log is kept for a day and, under load, of a share of the callers. Null: none of these are of this operation. At most two different ranges in one request. */
  spread?: Maybe<OperationSpread>;
};


/** One of the operations that used the most. */
export type TopOperationSpreadArgs = {
  range?: InputMaybe<TimeRangeInput>;
};

/** A page of operations that used the most. */
export type TopOperationConnection = {
  __typename?: 'TopOperationConnection';
  /** The operations that used the most of this page, each with its cursor. */
  edges: Array<TopOperationEdge>;
  /** The operations that used the most of this page. */
  nodes: Array<TopOperation>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
};

/** One of the operations that used the most, and where it stands in the list. */
export type TopOperationEdge = {
  __typename?: 'TopOperationEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: TopOperation;
};

/** One of the tenants that used the most, with all its callers. */
export type TopTenant = {
  __typename?: 'TopTenant';
  /** What they were charged in the end. */
  actualCost: Scalars['SafeInt']['output'];
  /** Operations that were denied. */
  denied: Scalars['SafeInt']['output'];
  /** What the denied would have cost. */
  deniedCost: Scalars['SafeInt']['output'];
  /** What the operations that ran were charged first, in tokens. */
  estimatedCost: Scalars['SafeInt']['output'];
  /** Operations that were asked for, denied ones too. */
  requests: Scalars['SafeInt']['output'];
  /** Operations that ran, and a shadow rule would have denied. */
  shadowDenied: Scalars['SafeInt']['output'];
  /** Its part of all, in what the list is ordered by: 0 to 1. */
  share: Scalars['Float']['output'];
  /** The id of the tenant; null: callers without one. */
  tenant?: Maybe<Scalars['String']['output']>;
};

/** A page of tenants that used the most. */
export type TopTenantConnection = {
  __typename?: 'TopTenantConnection';
  /** The tenants that used the most of this page, each with its cursor. */
  edges: Array<TopTenantEdge>;
  /** The tenants that used the most of this page. */
  nodes: Array<TopTenant>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
};

/** One of the tenants that used the most, and where it stands in the list. */
export type TopTenantEdge = {
  __typename?: 'TopTenantEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: TopTenant;
};

/** What was used in one bucket of time, by one group. */
export type Usage = {
  __typename?: 'Usage';
  /** By FIELD: how often it was resolved. */
  actualCalls?: Maybe<Scalars['SafeInt']['output']>;
  /** What they were charged in the end. */
  actualCost: Scalars['SafeInt']['output'];
  /** Grouped by CALLER: the one whose usage this is. */
  caller?: Maybe<Caller>;
  /** Operations that were decided without the shared counters; null by FIELD and RULE. */
  degraded?: Maybe<Scalars['SafeInt']['output']>;
  /** Operations that were denied. */
  denied: Scalars['SafeInt']['output'];
  /** What the denied would have cost; null by FIELD. */
  deniedCost?: Maybe<Scalars['SafeInt']['output']>;
  /** By FIELD: how often it was to be resolved at most. */
  estimatedCalls?: Maybe<Scalars['SafeInt']['output']>;
  /** What the operations that ran were charged first, in tokens. */
  estimatedCost: Scalars['SafeInt']['output'];
  /** Grouped by FIELD: its coordinate. Costs are without what is below. */
  field?: Maybe<Scalars['String']['output']>;
  /** Where the bucket begins. */
  from: Scalars['DateTime']['output'];
  /** Grouped by OPERATION: which. */
  operation?: Maybe<UsageOperation>;
  /** Operations that were asked for, denied ones too. */
  requests: Scalars['SafeInt']['output'];
  /** Grouped by RULE: its name, or `tier:NAME`. Costs are what the rule measures: tokens, calls, requests. */
  rule?: Maybe<Scalars['String']['output']>;
  /** Operations that a shadow rule would have denied; null by FIELD. */
  shadowDenied?: Maybe<Scalars['SafeInt']['output']>;
  /** Grouped by TENANT: its id; null: callers without one. */
  tenant?: Maybe<Scalars['String']['output']>;
  /** Grouped by TIER: its name. */
  tier?: Maybe<Scalars['String']['output']>;
  /** Where it ends: until then the numbers still rise. */
  to: Scalars['DateTime']['output'];
};

/** How long the buckets of usage are. They begin at whole minutes, hours and days, in UTC. */
export type UsageBucket =
  /** For ranges up to 400 days. */
  | 'DAY'
  /** For ranges up to 31 days and an hour: the longest month of every place. */
  | 'HOUR'
  /** For ranges up to a day, also one of 25 hours. */
  | 'MINUTE';

/** A page of usage. */
export type UsageConnection = {
  __typename?: 'UsageConnection';
  /** The usage of this page, each with its cursor. */
  edges: Array<UsageEdge>;
  /** The usage of this page. */
  nodes: Array<Usage>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
};

/** One of the usage, and where it stands in the list. */
export type UsageEdge = {
  __typename?: 'UsageEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: Usage;
};

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

/** Operations of one type and name. */
export type UsageOperation = {
  __typename?: 'UsageOperation';
  /** The name that the client gave them; null: none. */
  name?: Maybe<Scalars['String']['output']>;
  /** The kind of operation. */
  type: UsageOperationType;
};

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

/** One reason why an input was not taken. Nothing was changed. */
export type UserError = {
  __typename?: 'UserError';
  /** The reason in a form for programs. */
  code: UserErrorCode;
  /** The path of the field inside `input`; empty for the input as a whole. */
  field: Array<Scalars['String']['output']>;
  /** The reason, for people: what was expected and what came. */
  message: Scalars['String']['output'];
};

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

/** The administrator who asks. */
export type Viewer = {
  __typename?: 'Viewer';
  /** How they proved who they are. */
  authMethod: AuthMethod;
  /** The `actor` of what they change. */
  name: Scalars['String']['output'];
  /** What they may do. */
  role: AdminRole;
};

/** How often one rule denied one caller, or in shadow would have. */
export type Violation = {
  __typename?: 'Violation';
  /** The caller that was denied. */
  caller: Caller;
  /** How often the rule denied the caller. */
  denied: Scalars['SafeInt']['output'];
  /** What those operations would have cost in all. */
  deniedCost: Scalars['SafeInt']['output'];
  /** The rule of that name; null: it is a tier’s, or none is stored. */
  rule?: Maybe<Rule>;
  /** The name of the rule, or `tier:NAME`. */
  ruleName: Scalars['String']['output'];
  /** How often it would have, in shadow. */
  shadowDenied: Scalars['SafeInt']['output'];
  /** Its part of all, in what the list is ordered by: 0 to 1. */
  share: Scalars['Float']['output'];
};

/** A page of violations. */
export type ViolationConnection = {
  __typename?: 'ViolationConnection';
  /** The violations of this page, each with its cursor. */
  edges: Array<ViolationEdge>;
  /** The violations of this page. */
  nodes: Array<Violation>;
  /** Says whether there are more of them, and where. */
  pageInfo: PageInfo;
};

/** One of the violations, and where it stands in the list. */
export type ViolationEdge = {
  __typename?: 'ViolationEdge';
  /** What `after` takes: the list goes on behind this element. */
  cursor: Scalars['String']['output'];
  /** The element of the list that stands here. */
  node: Violation;
};

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