import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RuleWarning } from '../../rules/matching/find-rule-warnings.js';
import { nextTimeOf, periodAt } from '../../rules/matching/period-at.js';
import { LEVEL_MS } from '../../usage/query/time-range.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { checkBuckets, checkParts, checkRange, MAX_DENIALS_MS } from '../context/check-usage-filter.js';
import { presentDenial, presentViolation } from '../context/present-usage.js';
import { numberAfter, numbersAfter, toConnection, toPage } from '../schema/connection.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { DenialConnectionType, ViolationConnectionType } from '../types/denial-type.js';
import { RuleType } from '../types/rule-type.js';
import { RankingArgs, RuleDenialArgs, TimeRangeInput, UsageArgs } from '../types/usage-args.js';
import { RuleUsageConnectionType } from '../types/usage-type.js';

const DAY = 'Time range. Default: the last 24 hours.';

/**
 * Effects of a rule, without those that were recorded under a former name. A list of rules is
 * resolved with one statement per field.
 */
@Resolver(() => RuleType)
export class RuleEffectResolver {
  constructor(private readonly sources: AdminSources) {}

  @FieldResolver(() => Boolean, {
    description: 'Whether the schedule, `activeFrom` and `activeUntil` of the rule include the present.',
  })
  appliesNow(@Root() { record }: RuleType): boolean {
    return periodAt(record, Date.now()).applies;
  }

  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the value of `appliesNow` changes next; null if it does not.',
  })
  nextChangeAt(@Root() { record }: RuleType): Date | null {
    const nowMs = Date.now();
    const nextMs = nextTimeOf(record, nowMs, !periodAt(record, nowMs).applies);
    return nextMs === undefined ? null : new Date(nextMs);
  }

  @FieldResolver(() => RuleUsageConnectionType, {
    description:
      'The operations that the rule applied to, in buckets of time, oldest first. Costs are in the unit of the rule.',
  })
  async usage(@Root() { name }: RuleType, @Args(() => UsageArgs) args: UsageArgs, @Ctx() { loaders }: AdminContext) {
    const page = toPage(args);
    const { range, level } = checkBuckets(args.range, args.bucket, this.sources.usage);
    const from = new Date(Math.max(range.from.getTime(), numberAfter(page, -1) + 1));
    const rows = await loaders.ruleUsage.load({ name, range: { from, to: range.to }, level, limit: page.limit });
    return toConnection(
      page,
      rows,
      ({ bucket }) => bucket.getTime(),
      ({ rule: _rule, bucket, ...counts }) => ({
        ...counts,
        from: bucket,
        to: new Date(bucket.getTime() + LEVEL_MS[level]),
      }),
    );
  }

  @FieldResolver(() => ViolationConnectionType, {
    description:
      'The callers that the rule denied, or would have denied in `SHADOW`, ordered by denials, the highest first.',
  })
  async violations(
    @Root() { name }: RuleType,
    @Args(() => RankingArgs) args: RankingArgs,
    @Ctx() { loaders }: AdminContext,
  ) {
    const page = toPage(args);
    const [count, subjectId] = numbersAfter(page, 2) ?? [];
    const after = count === undefined ? undefined : { count, subjectId: subjectId! };
    const parts = checkParts(args.range, this.sources.usage);
    const rows = await loaders.ruleViolations.load({ name, parts, after, limit: page.limit });
    return toConnection(
      page,
      rows,
      (row) => [row.denied + row.shadowDenied, row.subjectId].join(),
      presentViolation(parts),
    );
  }

  @FieldResolver(() => SafeIntScalar, { description: 'The number of operations that the rule denied.' })
  async denied(
    @Root() rule: RuleType,
    @Arg('range', () => TimeRangeInput, { nullable: true, description: DAY }) range: TimeRangeInput | undefined,
    @Ctx() context: AdminContext,
  ): Promise<number> {
    return (await this.countsOf(rule, range, context)).denied;
  }

  @FieldResolver(() => SafeIntScalar, {
    description: 'The number of admitted operations that the rule would have denied if it were not in `SHADOW`.',
  })
  async shadowDenied(
    @Root() rule: RuleType,
    @Arg('range', () => TimeRangeInput, { nullable: true, description: DAY }) range: TimeRangeInput | undefined,
    @Ctx() context: AdminContext,
  ): Promise<number> {
    return (await this.countsOf(rule, range, context)).shadowDenied;
  }

  @FieldResolver(() => [String], {
    description: 'Warnings about effects of the rule that may be unintended. A retired rule has none.',
  })
  async warnings(@Root() rule: RuleType, @Ctx() context: AdminContext): Promise<string[]> {
    return (await this.warningsOf(rule, context)).map(({ message }) => message);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether other rules with its scope, field and measure apply instead of it to all of its callers and operations. `warnings` names them.',
  })
  async neverApplies(@Root() rule: RuleType, @Ctx() context: AdminContext): Promise<boolean> {
    return (await this.warningsOf(rule, context)).some(({ neverApplies }) => neverApplies);
  }

  @FieldResolver(() => DenialConnectionType, {
    description:
      'The operations that the rule denied, or would have denied in `SHADOW`, newest first. Under many denials, this is a sample; `violations` counts all.',
  })
  async denials(
    @Root() { name }: RuleType,
    @Args(() => RuleDenialArgs) args: RuleDenialArgs,
    @Ctx() { loaders }: AdminContext,
  ) {
    const page = toPage(args);
    const range = checkRange(args.range, MAX_DENIALS_MS);
    const [atMs, id] = numbersAfter(page, 2) ?? [];
    const after = atMs === undefined ? undefined : { at: new Date(atMs), id: id! };
    const rows = await loaders.ruleDenials.load({ name, range, after, limit: page.limit });
    return toConnection(page, rows, ({ at, id }) => `${at.getTime()},${id}`, presentDenial);
  }

  private async countsOf({ name }: RuleType, range: TimeRangeInput | undefined, { loaders }: AdminContext) {
    const [counts] = await loaders.ruleDenialCounts.load({ name, parts: checkParts(range, this.sources.usage) });
    return counts ?? { denied: 0, shadowDenied: 0 };
  }

  private async warningsOf({ record: rule }: RuleType, { loaders }: AdminContext): Promise<readonly RuleWarning[]> {
    const { surroundings } = this.sources;
    if (rule.retiredAt !== null || surroundings === undefined) return [];
    return loaders.ruleWarnings.load({ rule, surroundings });
  }
}
