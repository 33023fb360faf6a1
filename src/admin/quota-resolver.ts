import { GraphQLError } from 'graphql';
import { Arg, Query, Resolver } from 'type-graphql';
import { ERRORS } from '../errors.js';
import type { RulesStore } from '../rules/store.js';
import type { KnownSubject } from '../rules/store-subjects.js';
import type { Scope, Subject } from '../rules/types.js';
import { QuotaType, SubjectInput } from './quota-types.js';

/** The state of one limit of a subject, and where the limit comes from. */
export interface SubjectLimit {
  rule: string;
  scope: Scope;
  field: string;
  limit: number;
  used: number;
  remaining: number;
  /** Milliseconds since 1970. */
  resetAtMs: number;
  retryAfterMs: number;
}

/** Looks at the limits that apply to a subject on its tier, without charging them. */
export type QuotaOf = (subject: Subject) => Promise<readonly SubjectLimit[]>;

@Resolver(() => QuotaType)
export class QuotaResolver {
  constructor(
    private readonly store: RulesStore,
    private readonly quotaOf: QuotaOf,
  ) {}

  @Query(() => QuotaType, {
    nullable: true,
    description: 'What the subject may spend now; null when it is an API key that is unknown, revoked or expired.',
  })
  async quota(
    @Arg('subject', () => SubjectInput, { description: 'Whose quota.' }) input: SubjectInput,
  ): Promise<QuotaType | null> {
    const known = await this.resolve(toSubject(input));
    if (!known) return null;
    const { subject, disabled } = known;
    const tiers = await this.store.listTiers();
    const tier = tiers.find(({ name, isDefault }) => (subject.tier ? name === subject.tier : isDefault));
    if (!tier) throw error('UNAVAILABLE', 'No tier is the default: create one');
    const limits = await this.quotaOf({ ...subject, tier: tier.name });
    return { tier, disabled, limits: limits.map((one) => ({ ...one, resetAt: new Date(one.resetAtMs) })) };
  }

  private async resolve(subject: Subject): Promise<KnownSubject | null> {
    const { apiKey, ...rest } = subject;
    if (!apiKey) return this.store.resolveSubject(subject);
    if (rest.user || rest.tenant) {
      throw error('BAD_USER_INPUT', 'subject: an API key stands for its user and tenant, leave them out');
    }
    const holder = await this.store.findSubjectByApiKeyPrefix(apiKey);
    return holder && { ...holder, subject: { ...rest, ...holder.subject } };
  }
}

/** Null, empty and left out are the same: not said. */
function toSubject(input: SubjectInput): Subject {
  const subject: Subject = Object.fromEntries(Object.entries(input).filter(([, value]) => value));
  if (Object.keys(subject).length > 0) return subject;
  throw error('BAD_USER_INPUT', 'subject: expected a user, a tenant, an API key or an address');
}

function error(code: 'BAD_USER_INPUT' | 'UNAVAILABLE', message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: ERRORS[code].status } } });
}
