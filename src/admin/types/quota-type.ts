import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { Scope } from '../../model/subject.js';
import { ChangeInput, Payload } from '../schema/change-input.js';
import { Scopes } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { TierType } from './tier-type.js';

@InputType('SubjectInput', {
  description: 'Who is asking: an API key, which stands for its user and tenant; or a user, a tenant, an address.',
})
export class SubjectInput {
  @Field(() => String, { nullable: true, description: 'The id of a user.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'The id of a tenant; with `user`, the tenant of that user.' })
  tenant?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The prefix of an API key, not the key. Its user and tenant are known: leave them out.',
  })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'An IPv4 or IPv6 address.' })
  ip?: string | null;
}

@ObjectType('LimitQuota', { description: 'One limit that applies to the subject, and how much of it is left.' })
export class LimitQuotaType {
  @Field(() => String, { description: 'The rule, or the tier, that the limit comes from.' })
  rule!: string;

  @Field(() => String, {
    description: 'The pool whose Redis counts it; `default`: it is in none.',
  })
  pool!: string;

  @Field(() => Scopes, { description: 'Who shares this counter.' })
  scope!: Scope;

  @Field(() => String, { description: 'What is counted: `Query.search`, `Query.*`, or `*`: all.' })
  field!: string;

  @Field(() => SafeIntScalar, { description: 'How much there is when nothing is used.' })
  limit!: number;

  @Field(() => SafeIntScalar, { description: 'How much is used now. More than the limit while there is debt.' })
  used!: number;

  @Field(() => SafeIntScalar, { description: 'How much can be spent now.' })
  remaining!: number;

  @Field(() => DateTimeScalar, { description: 'When all of it is there again, if nothing more is spent.' })
  resetAt!: Date;

  @Field(() => SafeIntScalar, {
    description: 'Milliseconds until one can be spent; 0: something is left.',
  })
  retryAfterMs!: number;
}

@ObjectType('Quota', { description: 'What a subject may spend at this moment. Reading it costs the subject nothing.' })
export class QuotaType {
  @Field(() => TierType, { description: 'The tier that the subject is on.' })
  tier!: TierType;

  @Field(() => Boolean, { description: 'The subject, or its tenant, is shut out: it may spend nothing at all.' })
  disabled!: boolean;

  /** Not a field here: `QuotaResolver` resolves it. */
  limits!: LimitQuotaType[];

  @Field(() => Int, { description: 'How many limits apply to the subject, however many of them are asked for.' })
  limitCount!: number;
}

@InputType('SubjectResetQuotaInput', {
  description:
    'Gives one caller full quotas again: `{user: "42"}`, `{apiKey: "tg_..."}` by its prefix, `{ip: "192.0.2.7"}`, or a tenant. What is shared with others, such as the tenant’s counters of a user, stays as it is.',
})
export class SubjectResetQuotaInput extends ChangeInput implements SubjectInput {
  @Field(() => String, { nullable: true, description: 'The id of a user.' })
  user?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The id of a tenant; with `user`, the tenant of that user. Alone: what the tenant’s users share.',
  })
  tenant?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The prefix of an API key: its own counters, and those of its user. Leave user and tenant out.',
  })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'An IPv4 or IPv6 address, for callers without a credential.' })
  ip?: string | null;
}

@ObjectType('SubjectResetQuotaPayload', { description: 'What became of a reset.' })
export class SubjectResetQuotaPayload extends Payload {
  @Field(() => QuotaType, {
    nullable: true,
    description: 'What the caller may spend now, or could after a dry run; null with user errors.',
  })
  quota!: QuotaType | null;
}
