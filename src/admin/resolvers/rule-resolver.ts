import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { wholeLimitOf } from '../../model/limit-parameters.js';
import { didYouMean } from '../../options/nearest-name.js';
import type { RuleSurroundings } from '../../rules/matching/find-rule-warnings.js';
import type { RuleCreate } from '../../rules/store/create-rule-store.js';
import { type Outcome, rejected, type UserError } from '../../rules/store/outcome.js';
import type { RuleFilter, RuleRecord } from '../../rules/store/rule-record.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { historyPage } from '../context/history-page.js';
import { orNull, presentRule } from '../context/present-change.js';
import { toFilter, toPayload, toPlain } from '../schema/change-input.js';
import { ChangeConnectionType } from '../schema/change-type.js';
import { MAX_TOTAL, numberAfter, PageArgs, toConnection, toPage } from '../schema/connection.js';
import { badQuery } from '../schema/to-client-error.js';
import { keyOf } from '../schema/to-global-id.js';
import { RuleFilterInput } from '../types/rule-filter-input.js';
import { atTheirLimits, withPlainLimits } from '../types/rule-limit-input.js';
import {
  type RuleChangeInput,
  RuleConnectionType,
  RuleCreateInput,
  RuleInRegionType,
  RulePayload,
  RuleRestoreInput,
  RuleRetireInput,
  RuleSetModeInput,
  RuleType,
  RuleUpdateInput,
} from '../types/rule-type.js';

const OPTIONAL_AT_CREATION = [
  'comment',
  'idempotencyKey',
  'description',
  'response',
  'match',
  'action',
  'field',
  'fields',
  'schedule',
  'activeFrom',
  'activeUntil',
];

@Resolver(() => RuleType)
export class RuleResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => RuleConnectionType, {
    description: 'The stored rules, oldest first, and then the rules in code.',
  })
  async rules(
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => RuleFilterInput, {
      nullable: true,
      description: 'Conditions for the elements to list. Default: all.',
    })
    filter: RuleFilterInput | undefined,
  ) {
    const page = toPage(args);
    const after = numberAfter(page, 0);
    const { store } = this.sources;
    const wanted = toFilter<RuleFilter>(filter);
    const stored = (await store.pageRules(wanted, { after, limit: page.limit })).map((rule) => ({
      place: Number(rule.id),
      rule,
    }));
    const inCode = (await this.sources.inCode?.list(wanted)) ?? [];
    const rows = [...stored, ...inCode.filter(({ place }) => place > after)].slice(0, page.limit);
    const all = { after: 0, limit: MAX_TOTAL };
    const count = async () =>
      Math.min(MAX_TOTAL, (await store.count((pages) => pages.pageRules(wanted, all))) + inCode.length);
    return toConnection(
      page,
      rows,
      ({ place }) => place,
      ({ rule }) => presentRule(rule),
      count,
    );
  }

  @Requires('VIEWER')
  @Query(() => RuleType, {
    nullable: true,
    description: 'The rule with this id, even if it is retired; or the rule in use with this name.',
  })
  async rule(
    @Arg('id', () => ID, { nullable: true, description: 'A value of `Rule.id`.' }) id: string | null | undefined,
    @Arg('name', () => String, { nullable: true, description: 'A value of `Rule.name`.' }) name:
      | string
      | null
      | undefined,
    @Ctx() { loaders }: AdminContext,
  ) {
    if (id !== null && id !== undefined) return orNull(await loaders.rule.load(keyOf('Rule', id)), presentRule);
    if (name === null || name === undefined) throw badQuery('rule: expected an id or a name');
    return orNull(await loaders.ruleByName.load(name), presentRule);
  }

  @FieldResolver(() => RuleInRegionType, {
    nullable: true,
    description:
      'The part of the limits that the region of the process that responds enforces now. Null unless the limits are split between regions.',
  })
  inRegion(@Root() { record }: RuleType): RuleInRegionType | null {
    const parts = this.sources.regionPartsOf?.(record) ?? [];
    const region = parts.find((part) => part !== undefined)?.region;
    if (region === undefined) return null;
    // Slots are split even if the other limits of the rule are not.
    return { region, limits: record.limits.map((limit, index) => wholeLimitOf(parts[index]?.parameters ?? limit)) };
  }

  @FieldResolver(() => ChangeConnectionType, {
    description: 'The changes of the rule, newest first. `ruleRestore` returns the rule to one of their versions.',
  })
  history(@Root() { key }: RuleType, @Args(() => PageArgs) page: PageArgs, @Ctx() { loaders }: AdminContext) {
    return historyPage(loaders, 'RULE', key, page);
  }

  @Requires('ADMIN')
  @Mutation(() => RulePayload, {
    nullable: true,
    description: 'Creates a rule. It is in force everywhere within two seconds.',
  })
  async ruleCreate(
    @Arg('input', () => RuleCreateInput, { description: 'The new rule.' }) input: RuleCreateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const rule = toPlain<RuleCreate>(withPlainLimits(input), OPTIONAL_AT_CREATION);
    const payload = toPayload(await this.sources.store.createRule(rule, actor, await this.sources.surroundings?.()), {
      rule: presentRule,
    });
    return { ...payload, userErrors: atTheirLimits(payload.userErrors, input.limits) };
  }

  @Requires('ADMIN')
  @Mutation(() => RulePayload, {
    nullable: true,
    description:
      'Changes a rule. Its counters continue, unless the scope, the field, the measure, the algorithm or the window changes.',
  })
  async ruleUpdate(
    @Arg('input', () => RuleUpdateInput, { description: 'The rule and the members to change.' })
    input: RuleUpdateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const { newName, ...edit } = withPlainLimits(input);
    const renamed = newName === undefined ? {} : { name: newName };
    const payload = await this.change(edit, async (reference, around) => {
      const outcome = await this.sources.store.updateRule(toPlain({ ...reference, ...renamed }), actor, around);
      return outcome.ok ? outcome : { ...outcome, userErrors: outcome.userErrors.map(ofNewName) };
    });
    return { ...payload, userErrors: atTheirLimits(payload.userErrors, input.limits ?? []) };
  }

  @Requires('OPERATOR')
  @Mutation(() => RulePayload, { nullable: true, description: 'Changes the mode of a rule.' })
  async ruleSetMode(
    @Arg('input', () => RuleSetModeInput, { description: 'The rule and its new mode.' }) input: RuleSetModeInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return this.change(input, (reference, around) => this.sources.store.updateRule(toPlain(reference), actor, around));
  }

  @Requires('ADMIN')
  @Mutation(() => RulePayload, { nullable: true, description: 'Retires a rule.' })
  async ruleRetire(
    @Arg('input', () => RuleRetireInput, { description: 'The rule to retire.' }) input: RuleRetireInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return this.change(input, (reference) => this.sources.store.retireRule(toPlain(reference), actor));
  }

  @Requires('ADMIN')
  @Mutation(() => RulePayload, {
    nullable: true,
    description: 'Restores a retired rule, or returns a rule to an earlier version.',
  })
  async ruleRestore(
    @Arg('input', () => RuleRestoreInput, { description: 'The rule and the version.' }) input: RuleRestoreInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return this.change(input, (reference, around) => this.sources.store.restoreRule(toPlain(reference), actor, around));
  }

  /** Applies a change to the rule that the input identifies by its id or name. */
  private async change<Input extends RuleChangeInput>(
    { id, name, ...input }: Input,
    make: (
      reference: Omit<Input, 'id' | 'name'> & { id: string },
      around: RuleSurroundings | undefined,
    ) => Promise<Outcome<RuleRecord>>,
  ) {
    const given = [id, name].filter((one) => (one ?? null) !== null);
    if (given.length !== 1) return toPayload(rejected<RuleRecord>([oneOfBoth(given.length)]), { rule: presentRule });
    const named = (id ?? null) === null ? { name: name! } : { key: keyOf('Rule', id!) };
    const stored = 'name' in named ? await this.sources.store.getRuleByName(named.name) : null;
    const rejection = stored ? undefined : await this.sources.inCode?.rejectionOf(named);
    if (rejection) return toPayload(rejected<RuleRecord>([rejection]), { rule: presentRule });
    const key = (id ?? null) === null ? stored?.id : keyOf('Rule', id!);
    if (key === undefined)
      return toPayload(rejected<RuleRecord>([noSuchName(name!, await this.sources.store.ruleNames())]), {
        rule: presentRule,
      });
    return toPayload(await make({ ...input, id: key }, await this.sources.surroundings?.()), { rule: presentRule });
  }
}

/**
 * Maps errors of `name` to `newName`. The input of the store identifies the rule by its id, so the
 * member `name` of that input is the new name.
 */
function ofNewName(error: UserError): UserError {
  return error.field[0] === 'name' ? { ...error, field: ['newName'] } : error;
}

function oneOfBoth(given: number): UserError {
  const message = 'expected either the id or the name of a rule';
  return {
    code: 'INVALID',
    field: given === 0 ? [] : ['name'],
    message: given === 0 ? message : `${message}; set \`newName\` to rename it`,
  };
}

function noSuchName(name: string, known: readonly string[]): UserError {
  const message = `there is no rule in use named ${name}${didYouMean(name, known)}`;
  return { code: 'NOT_FOUND', field: ['name'], message };
}
