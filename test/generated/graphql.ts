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
  /** A whole number from -(2^53 - 1) to 2^53 - 1, as a JSON number: more than `Int` holds. */
  BigInt: { input: number; output: number; }
  /** A moment in RFC 3339, in UTC: `2026-01-31T12:00:00.000Z`. */
  DateTime: { input: string; output: string; }
};

/** One limit that applies to the subject, and how much of it is left. */
export type LimitQuota = {
  __typename?: 'LimitQuota';
  /** What is counted: `Query.search`, `Query.*`, or `*` for the whole operation. */
  field: Scalars['String']['output'];
  /** How much there is when nothing is used. */
  limit: Scalars['BigInt']['output'];
  /** How much can be spent now. */
  remaining: Scalars['BigInt']['output'];
  /** When all of it is there again, if nothing more is spent. */
  resetAt: Scalars['DateTime']['output'];
  /** How many milliseconds until at least one can be spent; 0 when something is left. */
  retryAfterMs: Scalars['BigInt']['output'];
  /** The rule, or the tier, that the limit comes from. */
  rule: Scalars['String']['output'];
  /** Who shares this counter. */
  scope: Scope;
  /** How much is used now. More than the limit while there is debt. */
  used: Scalars['BigInt']['output'];
};

/** What an administrator can change. Each change is recorded with its author and is in force at once. */
export type Mutation = {
  __typename?: 'Mutation';
  /** Adds a tier. */
  tierCreate: TierPayload;
  /** Changes a tier. In force from the next operation on; nobody gets a fresh bucket by it. */
  tierUpdate: TierPayload;
};


/** What an administrator can change. Each change is recorded with its author and is in force at once. */
export type MutationTierCreateArgs = {
  input: TierCreateInput;
};


/** What an administrator can change. Each change is recorded with its author and is in force at once. */
export type MutationTierUpdateArgs = {
  input: TierUpdateInput;
};

/** What a tier costs per month. */
export type Price = {
  __typename?: 'Price';
  /** In the smallest unit of the currency: 4900 USD is 49 dollars. */
  amountMinor: Scalars['BigInt']['output'];
  /** ISO 4217: `USD`, `EUR`. */
  currency: Scalars['String']['output'];
};

/** What a tier costs per month. */
export type PriceInput = {
  /** In the smallest unit of the currency: 4900 USD is 49 dollars. */
  amountMinor: Scalars['BigInt']['input'];
  /** ISO 4217, three capital letters: `USD`, `EUR`. */
  currency: Scalars['String']['input'];
};

/** What an administrator can look up. Nothing here changes anything. */
export type Query = {
  __typename?: 'Query';
  /** What the subject may spend now; null when it is an API key that is unknown, revoked or expired. */
  quota?: Maybe<Quota>;
  /** The tier of that name; null when there is none. */
  tier?: Maybe<Tier>;
  /** All tiers, by name. */
  tiers: Array<Tier>;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryQuotaArgs = {
  subject: SubjectInput;
};


/** What an administrator can look up. Nothing here changes anything. */
export type QueryTierArgs = {
  name: Scalars['String']['input'];
};

/** What a subject may spend at this moment. Reading it costs the subject nothing. */
export type Quota = {
  __typename?: 'Quota';
  /** The subject, or its tenant, is shut out: it may spend nothing at all. */
  disabled: Scalars['Boolean']['output'];
  /** Every limit that applies to the subject whatever it asks for. */
  limits: Array<LimitQuota>;
  /** The tier that the subject is on. */
  tier: Tier;
};

/** Who shares a counter. */
export type Scope =
  /** Whoever uses one API key. */
  | 'API_KEY'
  /** Everybody. */
  | 'GLOBAL'
  /** Whoever comes from one address (IPv6: one /64). */
  | 'IP'
  /** The users and keys of one tenant. */
  | 'TENANT'
  /** One principal: the user, else the API key, else the address. */
  | 'USER';

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

/** A plan. It gives each caller on it a token bucket, out of which operations are paid. */
export type Tier = {
  __typename?: 'Tier';
  /** Tokens that fit into the bucket, so how much may be spent at once. 1 to 2147483647. */
  capacity: Scalars['Int']['output'];
  /** When the tier was created. */
  createdAt: Scalars['DateTime']['output'];
  /** What people read. */
  displayName: Scalars['String']['output'];
  /** Callers to whom no tier was assigned are on this one. Exactly one tier is it. */
  isDefault: Scalars['Boolean']['output'];
  /** Operations that cost more tokens are refused, whatever the bucket holds; null: no ceiling. */
  maxCostPerOperation?: Maybe<Scalars['Int']['output']>;
  /** Per month; null: none is published. */
  monthlyPrice?: Maybe<Price>;
  /** Identifies the tier and never changes. */
  name: Scalars['String']['output'];
  /** Whole tokens that flow back, evenly, in each period. 1 to 2147483647. */
  refillAmount: Scalars['Int']['output'];
  /** The period of the refill in milliseconds: 100 an hour is 100 per 3600000. Its product with the capacity is at most 2^52. */
  refillPeriodMs: Scalars['BigInt']['output'];
  /** When the tier was last changed. */
  updatedAt: Scalars['DateTime']['output'];
  /** Rises by one with each change. Send it back as `expectedVersion`. */
  version: Scalars['Int']['output'];
};

/** A new tier. */
export type TierCreateInput = {
  /** Tokens that fit into the bucket, so how much may be spent at once. 1 to 2147483647. */
  capacity: Scalars['Int']['input'];
  /** Why: kept in the record of changes. At most 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** What people read. Left out: the name. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** Validate and answer what would be, without changing it. */
  dryRun?: Scalars['Boolean']['input'];
  /** Make this the tier of callers to whom no other was assigned. */
  isDefault?: Scalars['Boolean']['input'];
  /** Operations that cost more tokens are refused, whatever the bucket holds; null: no ceiling. */
  maxCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Per month. Left out or null: none is published. */
  monthlyPrice?: InputMaybe<PriceInput>;
  /** 1 to 64 letters, digits and `_` `.` `-`. It identifies the tier for ever, also after it is retired. */
  name: Scalars['String']['input'];
  /** Whole tokens that flow back, evenly, in each period. 1 to 2147483647. */
  refillAmount: Scalars['Int']['input'];
  /** The period of the refill in milliseconds: 100 an hour is 100 per 3600000. Its product with the capacity is at most 2^52. */
  refillPeriodMs: Scalars['BigInt']['input'];
};

/** What became of a change to a tier. */
export type TierPayload = {
  __typename?: 'TierPayload';
  /** The tier as it is now, or as it would be after a dry run. With user errors: unchanged, if it exists. */
  tier?: Maybe<Tier>;
  /** Why nothing was changed; empty on success. */
  userErrors: Array<UserError>;
};

/** What to change about a tier. What is left out stays as it is; null is for what can be cleared. */
export type TierUpdateInput = {
  /** Tokens that fit into the bucket, so how much may be spent at once. 1 to 2147483647. Callers keep what they have spent. */
  capacity?: InputMaybe<Scalars['Int']['input']>;
  /** Why: kept in the record of changes. At most 1000 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** What people read. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** Validate and answer what would be, without changing it. */
  dryRun?: Scalars['Boolean']['input'];
  /** The version that the change is based on; `STALE_VERSION` if the tier has another one by now. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** True makes this the default tier in place of the present one. The default tier cannot be set to false. */
  isDefault?: InputMaybe<Scalars['Boolean']['input']>;
  /** Operations that cost more tokens are refused, whatever the bucket holds; null: no ceiling. */
  maxCostPerOperation?: InputMaybe<Scalars['Int']['input']>;
  /** Per month; null: none is published. */
  monthlyPrice?: InputMaybe<PriceInput>;
  /** The tier to change. */
  name: Scalars['String']['input'];
  /** Whole tokens that flow back, evenly, in each period. 1 to 2147483647. */
  refillAmount?: InputMaybe<Scalars['Int']['input']>;
  /** The period of the refill in milliseconds: 100 an hour is 100 per 3600000. Its product with the capacity is at most 2^52. */
  refillPeriodMs?: InputMaybe<Scalars['BigInt']['input']>;
};

/** One reason why an input was not taken. Nothing was changed. */
export type UserError = {
  __typename?: 'UserError';
  /** The reason, for programs. */
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

export type QuotaOfQueryVariables = Exact<{
  subject: SubjectInput;
}>;


export type QuotaOfQuery = { __typename?: 'Query', quota?: { __typename?: 'Quota', disabled: boolean, tier: { __typename?: 'Tier', name: string, capacity: number }, limits: Array<{ __typename?: 'LimitQuota', rule: string, scope: Scope, field: string, limit: number, used: number, remaining: number, resetAt: string, retryAfterMs: number }> } | null };

export type TiersQueryVariables = Exact<{ [key: string]: never; }>;


export type TiersQuery = { __typename?: 'Query', tiers: Array<{ __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null }> };

export type TierByNameQueryVariables = Exact<{
  name: Scalars['String']['input'];
}>;


export type TierByNameQuery = { __typename?: 'Query', tier?: { __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null };

export type TierCreateMutationVariables = Exact<{
  input: TierCreateInput;
}>;


export type TierCreateMutation = { __typename?: 'Mutation', tierCreate: { __typename?: 'TierPayload', tier?: { __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } };

export type TierUpdateMutationVariables = Exact<{
  input: TierUpdateInput;
}>;


export type TierUpdateMutation = { __typename?: 'Mutation', tierUpdate: { __typename?: 'TierPayload', tier?: { __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null } | null, userErrors: Array<{ __typename?: 'UserError', field: Array<string>, code: UserErrorCode, message: string }> } };

export type TierFieldsFragment = { __typename?: 'Tier', name: string, displayName: string, capacity: number, refillAmount: number, refillPeriodMs: number, maxCostPerOperation?: number | null, isDefault: boolean, version: number, createdAt: string, updatedAt: string, monthlyPrice?: { __typename?: 'Price', amountMinor: number, currency: string } | null };

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
}
    `, {"fragmentName":"TierFields"}) as unknown as TypedDocumentString<TierFieldsFragment, unknown>;
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
export const TiersDocument = new TypedDocumentString(`
    query Tiers {
  tiers {
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
}`) as unknown as TypedDocumentString<TierUpdateMutation, TierUpdateMutationVariables>;