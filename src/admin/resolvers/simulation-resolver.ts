import { GraphQLError } from 'graphql';
import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { errorOf } from '../../model/errors.js';
import { LONGEST_PERIOD_MS } from '../../model/limit-parameters.js';
import type { Rule, RuleLimit } from '../../model/rule.js';
import { DRAFT_ID } from '../../rules/policy/draft-id.js';
import { toRuleAttributes } from '../../rules/policy/parse-policy.js';
import { ruleInput } from '../../rules/policy/rule-input.js';
import { toUserErrors, type UserError } from '../../rules/store/outcome.js';
import { noTierNamed } from '../../rules/store/tier-record.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { checkFirst, checkRange } from '../context/check-usage-filter.js';
import { presentUsageCaller } from '../context/present-caller.js';
import { toPlain } from '../schema/change-input.js';
import { orUserErrors } from '../schema/or-user-errors.js';
import { keyOf } from '../schema/to-global-id.js';
import { atTheirLimits, withPlainLimits } from '../types/rule-limit-input.js';
import { RuleSimulateInput, RuleSimulationPayload } from '../types/rule-simulation-payload.js';
import { isKeyOfCode, type RulesInCode } from '../types/rules-in-code.js';

const DAY_MS = 86_400_000;
const MAX_WARM_UP_MS = 3_600_000;
/**
 * Maximum number of decisions in a simulation. A process replays them in about ten seconds, and
 * still serves requests during that time.
 */
const MAX_DECISIONS = 200_000;
const NO_PART_OF_A_RULE = ['comment', 'dryRun', 'idempotencyKey'];
const OPTIONAL = [...NO_PART_OF_A_RULE, 'description', 'response', 'match', 'action', 'field', 'fields'];

@Resolver()
export class SimulationResolver {
  /**
   * Whether a simulation runs. Only one may run per process, because it uses the CPU that also
   * serves requests.
   */
  private isBusy = false;

  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => RuleSimulationPayload, {
    description:
      'Simulates a draft of a rule with the recorded decisions of up to a day. It stores and charges nothing.',
  })
  async ruleSimulate(
    @Arg('input', () => RuleSimulateInput, { description: 'The draft and the recorded decisions.' })
    input: RuleSimulateInput,
    @Ctx() context: AdminContext,
  ): Promise<RuleSimulationPayload> {
    const draft = await readDraft(context, input, this.sources.inCode);
    const asked = await orUserErrors(async () => {
      const first = checkFirst(input.first);
      const range = checkRange(input.range, DAY_MS);
      return { first, range, api: await this.sources.apis.apiOf(input.service) };
    });
    const userErrors = [...(Array.isArray(draft) ? draft : []), ...asked.userErrors];
    if (Array.isArray(draft) || asked.value === null) return { simulation: null, userErrors };
    const { first, range, api } = asked.value;
    if (this.isBusy) throw busy();
    this.isBusy = true;
    try {
      const warmUpFrom = new Date(range.from.getTime() - warmUpMs(draft.limits));
      const found = await api.simulateRule({ rule: draft, range, warmUpFrom, limit: MAX_DECISIONS });
      const { until, subjects, operations, ...counts } = found;
      const to = counts.isTruncated && until ? until : range.to;
      const callers = subjects.slice(0, first).map(({ kind, name, tenant = null, ...denied }) => ({
        ...denied,
        caller: presentUsageCaller({ kind, name, tenant }),
      }));
      const top = { callers, operations: operations.slice(0, first) };
      return { simulation: { ...counts, ...top, from: range.from, to }, userErrors: [] };
    } finally {
      this.isBusy = false;
    }
  }
}

/** Returns the draft as a rule, or its errors. */
async function readDraft(
  { loaders }: AdminContext,
  input: RuleSimulateInput,
  inCode: RulesInCode | undefined,
): Promise<Rule | UserError[]> {
  const members = Object.entries(toPlain<object>(withPlainLimits(input.rule), OPTIONAL));
  const wording = Object.fromEntries(members.filter(([name]) => !NO_PART_OF_A_RULE.includes(name)));
  const parsed = ruleInput.safeParse(wording);
  const errors = parsed.success ? [] : atTheirLimits(toUserErrors(parsed.error), input.rule.limits);
  const { replaces, replacesName } = input;
  let id = replaces ? keyOf('Rule', replaces) : DRAFT_ID;
  if (replaces && !(await loaders.rule.load(id))) {
    errors.push({ code: 'NOT_FOUND', field: ['replaces'], message: 'there is no rule with this id' });
  } else if (replacesName) {
    const named = replaces ? null : await loaders.ruleByName.load(replacesName);
    if (named) id = named.id;
    else
      errors.push({
        code: 'NOT_FOUND',
        field: ['replacesName'],
        message: 'expected the name of a rule, without `replaces`',
      });
  }
  // A rule in code is in force under the id that the code gave it.
  if (isKeyOfCode(id)) id = (await inCode?.idOf(id)) ?? id;
  const attributes = parsed.success ? toRuleAttributes(parsed.data) : undefined;
  const tiers = new Set((await loaders.tiersInUse()).map(({ name }) => name));
  for (const tier of attributes?.match.tiers ?? []) {
    if (tiers.has(tier)) continue;
    errors.push({ code: 'INVALID', field: ['match', 'tiers'], message: noTierNamed(tier, tiers) });
  }
  const inside = ({ field, ...error }: UserError) => ({
    ...error,
    field: field[0]?.startsWith('replaces') ? field : ['rule', ...field],
  });
  return attributes && errors.length === 0 ? { ...attributes, id } : errors.map(inside);
}

/**
 * Returns the time before the range in which decisions still affect the draft's limits, in
 * milliseconds. The maximum is one hour.
 */
function warmUpMs(limits: readonly RuleLimit[]): number {
  const memories = limits.map(({ windowMs, every, leaseMs, capacity = 0, refillAmount, refillPeriodMs = 0 }) => {
    if (every !== undefined) return LONGEST_PERIOD_MS[every];
    return refillAmount === undefined ? (windowMs ?? leaseMs ?? 0) : (capacity / refillAmount) * refillPeriodMs;
  });
  return Math.min(MAX_WARM_UP_MS, Math.max(0, ...memories));
}

function busy(): GraphQLError {
  return errorOf('THROTTLED', 'This process already runs a simulation: try again when it has ended');
}
