import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { Scope } from '../../model/subject.js';
import { ChangeInput, Payload } from '../schema/change-input.js';
import { Scopes } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { QuotaPeriodType } from './calendar-window-type.js';
import { TierType } from './tier-type.js';

@InputType('SubjectInput', {
  description: 'A caller: a user, a tenant, an address, or an API key, which implies its user and tenant.',
})
export class SubjectInput {
  @Field(() => String, { nullable: true, description: 'The id of a user.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'The id of a tenant; with `user`, the tenant of that user.' })
  tenant?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The prefix of an API key, not the key itself. Omit `user` and `tenant`: the key implies them.',
  })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'An IPv4 or IPv6 address.' })
  ip?: string | null;
}

@ObjectType('LimitQuota', { description: 'One limit that applies to the subject, and the amount that is left.' })
export class LimitQuotaType {
  @Field(() => String, {
    description:
      'Name of the rule that defines the limit. `tier:NAME`: bucket of the tier. `tier:NAME:budget`: budget of the tier. `key:budget`: budget of the API key.',
  })
  rule!: string;

  @Field(() => String, {
    description: 'Name of the pool whose Redis has the counter of the limit; `default` if no pool has it.',
  })
  pool!: string;

  @Field(() => Scopes, { description: 'Callers that share this counter.' })
  scope!: Scope;

  @Field(() => String, { description: 'Pattern of the counted fields: `Query.search`, `Query.*`, or `*` for all.' })
  field!: string;

  @Field(() => SafeIntScalar, { description: 'Amount available when nothing is used.' })
  limit!: number;

  @Field(() => SafeIntScalar, {
    description: 'Limit of all regions together. `limit` is less if the limit is split between regions.',
  })
  wholeLimit!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'Region whose part of the limit the other numbers describe: that of the process that responds. Null unless the limit is split between regions.',
  })
  region!: string | null;

  @Field(() => SafeIntScalar, { description: 'Amount used now. It exceeds the limit while there is debt.' })
  used!: number;

  @Field(() => SafeIntScalar, { description: 'Amount that can be spent now.' })
  remaining!: number;

  @Field(() => DateTimeScalar, {
    description: 'Time at which the limit is full again if nothing more is spent.',
  })
  resetAt!: Date;

  @Field(() => SafeIntScalar, {
    description: 'Milliseconds until at least 1 can be spent; 0 if something is left.',
  })
  retryAfterMs!: number;

  @Field(() => QuotaPeriodType, {
    nullable: true,
    description: 'Current period; null unless the limit is a calendar window.',
  })
  period!: QuotaPeriodType | null;
}

@ObjectType('Quota', {
  description: 'The amounts that a subject can spend at this moment. Reading them charges nothing.',
})
export class QuotaType {
  @Field(() => TierType, { description: 'The tier of the subject.' })
  tier!: TierType;

  @Field(() => Boolean, {
    description: 'Whether the subject or its tenant is disabled. If so, all its operations are denied.',
  })
  disabled!: boolean;

  /** It has no `@Field` here, because `QuotaResolver` resolves it. */
  limits!: LimitQuotaType[];

  @Field(() => Int, { description: 'Number of all limits that apply to the subject, independent of `first`.' })
  limitCount!: number;
}

@InputType('SubjectResetQuotaInput', {
  description:
    'The caller whose quotas to reset: `{user: "42"}`, `{apiKey: "tg_..."}` with the prefix, `{ip: "192.0.2.7"}`, or a tenant. The reset does not change counters that other callers share, such as the counters of the tenant of a user.',
})
export class SubjectResetQuotaInput extends ChangeInput implements SubjectInput {
  @Field(() => String, { nullable: true, description: 'The id of a user.' })
  user?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The id of a tenant; with `user`, the tenant of that user. Without `user`, the reset applies to the counters that all users of the tenant share.',
  })
  tenant?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The prefix of an API key. The reset applies to its own counters and those of its user. Omit `user` and `tenant`.',
  })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'An IPv4 or IPv6 address, for callers without a credential.' })
  ip?: string | null;
}

@ObjectType('SubjectResetQuotaPayload', { description: 'Result of a reset.' })
export class SubjectResetQuotaPayload extends Payload {
  @Field(() => QuotaType, {
    nullable: true,
    description: 'The quota of the caller after the reset, or after a planned one in a dry run; null with user errors.',
  })
  quota!: QuotaType | null;
}
