import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Subject } from '../../model/subject.js';
import type { TierAssignment } from '../../rules/store/create-tier-assignment.js';
import { LEVEL_MS } from '../../usage/query/time-range.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { checkBuckets } from '../context/check-usage-filter.js';
import { historyPage } from '../context/history-page.js';
import { orNull, presentApiKey, presentSubject, presentTier } from '../context/present-change.js';
import { createQuotaReset } from '../context/reset-quota.js';
import { callerOf, toQuota, toSubject } from '../context/to-quota.js';
import { toFilter, toPayload, toPlain } from '../schema/change-input.js';
import { ChangeConnectionType } from '../schema/change-type.js';
import { MAX_TOTAL, numberAfter, PageArgs, toConnection, toPage } from '../schema/connection.js';
import { badQuery } from '../schema/to-client-error.js';
import { ApiKeyConnectionType } from '../types/api-key-type.js';
import { QuotaType, SubjectInput, SubjectResetQuotaInput, SubjectResetQuotaPayload } from '../types/quota-type.js';
import {
  OPTIONAL_AT_CREATION,
  OPTIONAL_OF_CALLERS,
  SubjectAssignTierInput,
  SubjectAssignTiersInput,
  SubjectAssignTiersPayload,
  SubjectConnectionType,
  SubjectCreateInput,
  SubjectDeleteInput,
  SubjectDeletePayload,
  SubjectDisableInput,
  SubjectFilterInput,
  SubjectPayload,
  SubjectSetBillingAnchorInput,
  SubjectSetOverrideInput,
  SubjectType,
} from '../types/subject-type.js';
import { TierType } from '../types/tier-type.js';
import { UsageArgs } from '../types/usage-args.js';
import { SubjectUsageConnectionType } from '../types/usage-type.js';

@Resolver(() => SubjectType)
export class SubjectResolver {
  private readonly resetQuota: ReturnType<typeof createQuotaReset>;

  constructor(private readonly sources: AdminSources) {
    this.resetQuota = createQuotaReset(sources);
  }

  @Requires('VIEWER')
  @Query(() => SubjectConnectionType, {
    description: 'The stored users and tenants, oldest first.',
  })
  async subjects(
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => SubjectFilterInput, {
      nullable: true,
      description: 'Conditions for the elements to list. Default: all.',
    })
    filter: SubjectFilterInput | undefined,
  ) {
    const page = toPage(args);
    const after = numberAfter(page, 0);
    const { store } = this.sources;
    const rows = await store.pageSubjects(toFilter(filter), { after, limit: page.limit });
    const all = { after: 0, limit: MAX_TOTAL };
    const count = () => store.count((pages) => pages.pageSubjects(toFilter(filter), all));
    return toConnection(page, rows, ({ id }) => id, presentSubject, count);
  }

  @Requires('VIEWER')
  @Query(() => SubjectType, {
    nullable: true,
    description:
      'The stored user of `tenant`, or of no tenant by default. Without `user`, the stored tenant. Null if none is stored.',
  })
  async subject(
    @Arg('user', () => String, { nullable: true, description: 'The id of a user.' }) user: string | undefined,
    @Arg('tenant', () => String, { nullable: true, description: 'The id of a tenant.' }) tenant: string | undefined,
  ) {
    return orNull(await this.sources.store.getSubject(toFilter({ user, tenant })), presentSubject);
  }

  @Requires('VIEWER')
  @Query(() => QuotaType, {
    nullable: true,
    description:
      'The amounts that a caller, stored or not, can spend now; null for an API key that is unknown, revoked or expired.',
  })
  async quota(
    @Arg('subject', () => SubjectInput, { description: 'The caller: a user, a tenant, an API key or an address.' })
    subject: SubjectInput,
    @Ctx() { loaders }: AdminContext,
  ) {
    const { store, quotaOf } = this.sources;
    const known = await callerOf(toSubject(subject), store, loaders);
    return known && toQuota(known, { loaders, quotaOf });
  }

  @FieldResolver(() => TierType, {
    nullable: true,
    description:
      'The tier that is assigned to the subject itself; null if the tier of its tenant or else the default tier applies.',
  })
  async tier(@Root() { assignedTier }: SubjectType, @Ctx() { loaders }: AdminContext) {
    return assignedTier === null ? null : orNull(await loaders.tier.load(assignedTier), presentTier);
  }

  @FieldResolver(() => QuotaType, {
    description: 'The amounts that the subject can spend now. Reading them charges nothing.',
  })
  async quotaNow(@Root() { caller: { user, tenant } }: SubjectType, @Ctx() { loaders }: AdminContext) {
    const subject: Subject = { ...(user !== null && { user }), ...(tenant !== null && { tenant }) };
    return toQuota(await loaders.known.load(subject), { loaders, quotaOf: this.sources.quotaOf });
  }

  @FieldResolver(() => ApiKeyConnectionType, {
    description: 'The API keys of the subject, oldest first, including revoked ones.',
  })
  async apiKeys(@Root() { key }: SubjectType, @Args(() => PageArgs) args: PageArgs, @Ctx() { loaders }: AdminContext) {
    const page = toPage(args);
    const rows = await loaders.apiKeys.load({ subjectId: key, after: numberAfter(page, 0), limit: page.limit });
    return toConnection(page, rows, ({ id }) => id, presentApiKey);
  }

  @FieldResolver(() => SubjectUsageConnectionType, {
    description:
      'The usage of the subject in buckets of time, oldest first. The usage of a tenant includes all its users and keys.',
  })
  async usage(
    @Root() { caller: { user, tenant } }: SubjectType,
    @Args(() => UsageArgs) args: UsageArgs,
    @Ctx() { loaders }: AdminContext,
  ) {
    const page = toPage(args);
    const { range, level } = checkBuckets(args.range, args.bucket, this.sources.usage);
    const from = new Date(Math.max(range.from.getTime(), numberAfter(page, -1) + 1));
    const rows = await loaders.usage.load({ user, tenant, range: { from, to: range.to }, level, limit: page.limit });
    const toOf = (bucket: Date) => new Date(bucket.getTime() + LEVEL_MS[level]);
    return toConnection(
      page,
      rows,
      ({ bucket }) => bucket.getTime(),
      ({ owner: _owner, bucket, ...counts }) => ({ ...counts, from: bucket, to: toOf(bucket) }),
    );
  }

  @FieldResolver(() => ChangeConnectionType, {
    description: 'The changes of the subject and of its API keys, newest first.',
  })
  history(@Root() { key }: SubjectType, @Args(() => PageArgs) page: PageArgs, @Ctx() { loaders }: AdminContext) {
    return historyPage(loaders, 'SUBJECT', String(key), page);
  }

  @Requires('OPERATOR')
  @Mutation(() => SubjectPayload, {
    nullable: true,
    description: 'Assigns a tier to a user or a tenant. Spent tokens stay spent.',
  })
  async subjectAssignTier(
    @Arg('input', () => SubjectAssignTierInput, { description: 'The user or tenant, and its new tier.' })
    input: SubjectAssignTierInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const outcome = await this.sources.store.upsertSubject(toPlain(input, OPTIONAL_OF_CALLERS), actor);
    return toPayload(outcome, { subject: presentSubject });
  }

  @Requires('OPERATOR')
  @Mutation(() => SubjectAssignTiersPayload, {
    nullable: true,
    description: 'Assigns tiers to up to 500 users and tenants, all of them or none.',
  })
  async subjectAssignTiers(
    @Arg('input', () => SubjectAssignTiersInput, { description: 'The users and tenants, each with its new tier.' })
    { assignments, ...input }: SubjectAssignTiersInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const plain = assignments.map((one) =>
      toPlain<TierAssignment>({ ...one, tier: one.tier ?? null }, OPTIONAL_OF_CALLERS),
    );
    const outcome = await this.sources.store.assignTiers({ ...toPlain(input), assignments: plain }, actor);
    return toPayload(outcome, {
      assigned: ({ assigned }) => assigned,
      created: ({ created }) => created,
      unchanged: ({ unchanged }) => unchanged,
    });
  }

  @Requires('OPERATOR')
  @Mutation(() => SubjectPayload, { nullable: true, description: 'Creates a user or a tenant that is not stored yet.' })
  async subjectCreate(
    @Arg('input', () => SubjectCreateInput, { description: 'The user or tenant, its tier and its bucket.' })
    input: SubjectCreateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const outcome = await this.sources.store.createSubject(toPlain(input, OPTIONAL_AT_CREATION), actor);
    return toPayload(outcome, { subject: presentSubject });
  }

  @Requires('OPERATOR')
  @Mutation(() => SubjectDeletePayload, {
    nullable: true,
    description: 'Deletes a stored user or tenant. Spent tokens stay spent.',
  })
  async subjectDelete(
    @Arg('input', () => SubjectDeleteInput, { description: 'The user or tenant to delete.' })
    input: SubjectDeleteInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const outcome = await this.sources.store.deleteSubject(toPlain(input, OPTIONAL_OF_CALLERS), actor);
    const { subject, ...payload } = toPayload(outcome, { subject: presentSubject });
    return outcome.ok
      ? { ...payload, deletedId: subject!.id, subject: null }
      : { ...payload, deletedId: null, subject };
  }

  @Requires('OPERATOR')
  @Mutation(() => SubjectPayload, {
    nullable: true,
    description: 'Sets or removes the bucket of a user or a tenant that replaces the bucket of its tier.',
  })
  async subjectSetOverride(
    @Arg('input', () => SubjectSetOverrideInput, { description: 'The user or tenant, and its bucket.' })
    input: SubjectSetOverrideInput,
    @Ctx() { actor }: AdminContext,
  ) {
    if (input.bucket === undefined)
      throw badQuery('bucket: expected a bucket, or null to restore the bucket of the tier');
    const outcome = await this.sources.store.setSubjectOverride(toPlain(input, OPTIONAL_OF_CALLERS), actor);
    return toPayload(outcome, { subject: presentSubject });
  }

  @Requires('OPERATOR')
  @Mutation(() => SubjectPayload, {
    nullable: true,
    description: 'Sets or removes the billing anchor of a user or a tenant. Usage of the current period stays.',
  })
  async subjectSetBillingAnchor(
    @Arg('input', () => SubjectSetBillingAnchorInput, { description: 'The user or tenant, and its billing anchor.' })
    input: SubjectSetBillingAnchorInput,
    @Ctx() { actor }: AdminContext,
  ) {
    if (input.billingAnchor === undefined)
      throw badQuery('billingAnchor: expected a day as YYYY-MM-DD, or null to remove it');
    const { billingAnchor } = input;
    const outcome = await this.sources.store.setSubjectBillingAnchor(
      { ...toPlain(input, OPTIONAL_OF_CALLERS), billingAnchor },
      actor,
    );
    return toPayload(outcome, { subject: presentSubject });
  }

  @Requires('OPERATOR')
  @Mutation(() => SubjectResetQuotaPayload, {
    nullable: true,
    description: 'Resets the quotas of a caller immediately and everywhere.',
  })
  async subjectResetQuota(
    @Arg('input', () => SubjectResetQuotaInput, {
      description: 'The caller: a user, a tenant, an API key or an address.',
    })
    input: SubjectResetQuotaInput,
    @Ctx() context: AdminContext,
  ) {
    return toPayload(await this.resetQuota(input, context), { quota: (quota) => quota });
  }

  @Requires('OPERATOR')
  @Mutation(() => SubjectPayload, { nullable: true, description: 'Disables or enables a user or a tenant.' })
  async subjectDisable(
    @Arg('input', () => SubjectDisableInput, { description: 'The user or tenant, and whether to disable it.' })
    input: SubjectDisableInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const outcome = await this.sources.store.disableSubject(toPlain(input, OPTIONAL_OF_CALLERS), actor);
    return toPayload(outcome, { subject: presentSubject });
  }
}
