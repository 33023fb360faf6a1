import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { OperationType, Rule } from '../../model/rule.js';
import type { UserError } from '../../rules/store/outcome.js';
import type { TimeRange } from '../../usage/query/time-range.js';
import type { UsageSubjectKind } from '../../usage/record/usage-levels.js';
import { UserErrorType } from '../schema/change-input.js';
import { OperationTypes } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';
import { SERVICE } from './cost-explain-payload.js';
import { RuleCreateInput } from './rule-type.js';
import { TimeRangeInput } from './usage-args.js';

/** Simulated outcomes of decisions. `cost` is their estimated cost. */
interface SimulationCounts {
  decisions: number;
  cost: number;
  denied: number;
  deniedCost: number;
  newlyDenied: number;
  newlyDeniedCost: number;
}

/** The result of a replay of decisions. */
interface Simulation extends SimulationCounts {
  /** Time of the last decision that the replay included. Null if it included none. */
  until: Date | null;
  isTruncated: boolean;
  leftOut: number;
  /**
   * Reasons why the draft has no effect, or why another rule has no effect because of the draft.
   */
  warnings: readonly string[];
  recordedDenied: number;
  deniedBefore: number;
  deniedAfter: number;
  newlyAdmitted: number;
  delayed: number;
  sampled: number;
  /** Ordered by the number of denials, the highest first. */
  subjects: (SimulationCounts & {
    kind: Exclude<UsageSubjectKind, 'OTHER'>;
    name: string;
    tenant: string | undefined;
  })[];
  operations: (SimulationCounts & { type: OperationType; name: string | undefined })[];
  regions: (SimulationCounts & { region: string })[];
}

/**
 * Replays decisions with a draft among the rules. Decisions between `warmUpFrom` and the range only
 * fill the counters.
 */
export type SimulateRule = (request: {
  rule: Rule;
  range: TimeRange;
  warmUpFrom: Date;
  limit: number;
}) => Promise<Simulation>;

@InputType('RuleSimulateInput', { description: 'A draft of a rule, and the recorded decisions for its simulation.' })
export class RuleSimulateInput {
  @Field(() => RuleCreateInput, {
    description:
      'The draft. The simulation enforces it, independent of its mode. It ignores `comment`, `dryRun` and `idempotencyKey`.',
  })
  rule!: RuleCreateInput;

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the rule that the draft replaces. Default: the draft applies in addition to all rules.',
  })
  replaces?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the rule that the draft replaces. Set either this or `replaces`.',
  })
  replacesName?: string | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description:
      'Time range of the decisions, at most a day. Default: the last 24 hours. By default, decisions are stored for a day.',
  })
  range?: TimeRangeInput | null;

  @Field(() => Int, { defaultValue: 10, description: 'Maximum number of callers, and of operations: 1 to 100.' })
  first!: number;

  @Field(() => String, { nullable: true, description: SERVICE })
  service?: string | null;
}

@ObjectType('SimulatedCounts', { description: 'Counts of simulated decisions.' })
abstract class SimulatedCounts {
  @Field(() => SafeIntScalar, { description: 'Number of operations, admitted and denied.' })
  decisions!: number;

  @Field(() => SafeIntScalar, {
    description: 'Sum of the estimated costs of all operations, in tokens.',
  })
  cost!: number;

  @Field(() => SafeIntScalar, {
    description: 'Number of operations that the draft denies, alone or with other rules.',
  })
  denied!: number;

  @Field(() => SafeIntScalar, { description: 'Sum of the estimated costs of the operations in `denied`.' })
  deniedCost!: number;

  @Field(() => SafeIntScalar, {
    description: 'Number of operations admitted without the draft and denied with it.',
  })
  newlyDenied!: number;

  @Field(() => SafeIntScalar, { description: 'Sum of the estimated costs of the operations in `newlyDenied`.' })
  newlyDeniedCost!: number;
}

@ObjectType('SimulatedCaller', { description: 'Effect of the draft on one caller.' })
class SimulatedCallerType extends SimulatedCounts {
  @Field(() => CallerType, { description: 'The caller.' })
  caller!: CallerType;
}

@ObjectType('SimulatedOperation', {
  description: 'Effect of the draft on operations of one type and name.',
})
class SimulatedOperationType extends SimulatedCounts {
  @Field(() => OperationTypes, { description: 'Type of the operations.' })
  type!: OperationType;

  @Field(() => String, {
    nullable: true,
    description: 'Name that the client gave the operations; null without a name.',
  })
  name!: string | undefined;
}

@ObjectType('SimulatedRegion', { description: 'Effect of the draft on the operations of one region.' })
class SimulatedRegionType extends SimulatedCounts {
  @Field(() => String, { description: 'Name of the region.' })
  region!: string;
}

@ObjectType('RuleSimulation', {
  description:
    'Two replays of recorded decisions: with the rules in force, and with the draft. Both start with empty counters.',
})
class RuleSimulationType extends SimulatedCounts {
  @Field(() => DateTimeScalar, { description: 'Start of the range.' })
  from!: Date;

  @Field(() => DateTimeScalar, {
    description:
      'End of the range: the requested end, or the point at which the maximum number of decisions was reached.',
  })
  to!: Date;

  @Field(() => Boolean, {
    description: 'Whether there were too many decisions, so that only the first of them were replayed.',
  })
  isTruncated!: boolean;

  @Field(() => SafeIntScalar, {
    description:
      'Number of decisions that the replay omits, because their record lacks the amount that the draft counts. Old versions of Tollgate did not record objects, type cost and field cost. The other numbers exclude these decisions.',
  })
  leftOut!: number;

  @Field(() => SafeIntScalar, { description: 'Number of the operations that were denied when they were recorded.' })
  recordedDenied!: number;

  @Field(() => SafeIntScalar, {
    description:
      'Number of denials in the replay without the draft. It is close to `recordedDenied` if rules and tiers have not changed since the recording.',
  })
  deniedBefore!: number;

  @Field(() => SafeIntScalar, { description: 'Number of denials in the replay with the draft, by any rule.' })
  deniedAfter!: number;

  @Field(() => SafeIntScalar, {
    description: 'Number of operations that are denied without the draft and admitted with it.',
  })
  newlyAdmitted!: number;

  @Field(() => SafeIntScalar, {
    description: 'Number of operations that are admitted after a longer delay than without the draft.',
  })
  delayed!: number;

  @Field(() => Float, {
    description:
      'Share of callers whose decisions were stored: the lowest in the range. Below 1, the numbers cover only a sample.',
  })
  sampled!: number;

  @Field(() => [String], {
    description:
      'Reasons why the draft, or another rule because of the draft, has no effect: the rule can never apply, or no schema has its field.',
  })
  warnings!: readonly string[];

  @Field(() => [SimulatedCallerType], { description: 'The callers, ordered by denials, the highest first.' })
  callers!: SimulatedCallerType[];

  @Field(() => [SimulatedOperationType], { description: 'The operations, ordered by denials, the highest first.' })
  operations!: SimulatedOperationType[];

  @Field(() => [SimulatedRegionType], {
    description:
      'The regions, ordered by denials, the highest first. Each enforces its configured share of split limits. Operations whose region was not recorded belong to that of the process that responds. Empty if this process has no region.',
  })
  regions!: SimulatedRegionType[];
}

@ObjectType('RuleSimulationPayload', { description: 'The simulation of a draft, or the reasons why there is none.' })
export class RuleSimulationPayload {
  @Field(() => RuleSimulationType, { nullable: true, description: 'Null with user errors.' })
  simulation!: RuleSimulationType | null;

  @Field(() => [UserErrorType], { description: 'Errors in the draft; empty on success.' })
  userErrors!: UserError[];
}
