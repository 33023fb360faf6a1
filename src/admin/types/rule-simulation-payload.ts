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
  /** Time of the last decision that the replay included. Null: there was none. */
  until: Date | null;
  isTruncated: boolean;
  leftOut: number;
  /** Reasons why the draft has no effect, or why another rule has none because of it. */
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

@InputType('RuleSimulateInput', { description: 'A draft of a rule, and the decisions to try it on.' })
export class RuleSimulateInput {
  @Field(() => RuleCreateInput, {
    description:
      'The draft. It is tried out as if it were enforced, whatever its mode; how it would be saved is ignored.',
  })
  rule!: RuleCreateInput;

  @Field(() => ID, {
    nullable: true,
    description: 'The rule that the draft takes the place of. Left out: it stands beside all rules.',
  })
  replaces?: string | null;

  @Field(() => String, { nullable: true, description: 'The name of that rule, in place of its id.' })
  replacesName?: string | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'At most a day. Left out: the last 24 hours. Decisions are kept for a day, if not set otherwise.',
  })
  range?: TimeRangeInput | null;

  @Field(() => Int, { defaultValue: 10, description: 'How many callers and operations at most: 1 to 100.' })
  first!: number;

  @Field(() => String, { nullable: true, description: SERVICE })
  service?: string | null;
}

@ObjectType('SimulatedCounts', { description: 'What would have become of operations.' })
abstract class SimulatedCounts {
  @Field(() => SafeIntScalar, { description: 'Operations that were decided on, denied ones too.' })
  decisions!: number;

  @Field(() => SafeIntScalar, { description: 'What they were estimated at, in tokens.' })
  cost!: number;

  @Field(() => SafeIntScalar, { description: 'What the draft would have refused, alone or with others.' })
  denied!: number;

  @Field(() => SafeIntScalar, { description: 'What those were estimated at.' })
  deniedCost!: number;

  @Field(() => SafeIntScalar, {
    description: 'Admitted without the draft, denied with it, by whichever rule.',
  })
  newlyDenied!: number;

  @Field(() => SafeIntScalar, { description: 'What those were estimated at.' })
  newlyDeniedCost!: number;
}

@ObjectType('SimulatedCaller', { description: 'What the draft would have meant for one caller.' })
class SimulatedCallerType extends SimulatedCounts {
  @Field(() => CallerType, { description: 'The one who asked.' })
  caller!: CallerType;
}

@ObjectType('SimulatedOperation', {
  description: 'What the draft would have meant for operations of one type and name.',
})
class SimulatedOperationType extends SimulatedCounts {
  @Field(() => OperationTypes, { description: 'The kind of operation.' })
  type!: OperationType;

  @Field(() => String, { nullable: true, description: 'The name that the client gave them; null: none.' })
  name!: string | undefined;
}

@ObjectType('RuleSimulation', {
  description:
    'Recorded decisions, made again by the rules in force and once more with the draft, with counters that were empty at first.',
})
class RuleSimulationType extends SimulatedCounts {
  @Field(() => DateTimeScalar, { description: 'When the first of the decisions was made.' })
  from!: Date;

  @Field(() => DateTimeScalar, {
    description: 'Until when: the end that was asked for, or where the decisions were too many.',
  })
  to!: Date;

  @Field(() => Boolean, { description: 'There were too many decisions: only the first of them were looked at.' })
  isTruncated!: boolean;

  @Field(() => SafeIntScalar, {
    description:
      'Decisions of the range on which the draft was not tried, as they were recorded without the amount that it counts: before Tollgate recorded objects, type cost and field cost. They are in none of the other numbers.',
  })
  leftOut!: number;

  @Field(() => SafeIntScalar, { description: 'Denied, when they were decided.' })
  recordedDenied!: number;

  @Field(() => SafeIntScalar, {
    description:
      'Denied by the replay without the draft: near `recordedDenied` where rules and tiers are what they were then.',
  })
  deniedBefore!: number;

  @Field(() => SafeIntScalar, { description: 'Denied by the replay with the draft, by whichever rule.' })
  deniedAfter!: number;

  @Field(() => SafeIntScalar, { description: 'Denied without the draft, admitted with it.' })
  newlyAdmitted!: number;

  @Field(() => SafeIntScalar, { description: 'Admitted with the draft after a longer wait.' })
  delayed!: number;

  @Field(() => Float, {
    description: 'The least share of callers whose decisions were kept: below 1 the numbers are those of that share.',
  })
  sampled!: number;

  @Field(() => [String], {
    description:
      'Why the draft, or another rule because of it, does nothing: it can never win, or no schema has its field.',
  })
  warnings!: readonly string[];

  @Field(() => [SimulatedCallerType], { description: 'The callers, most denied first.' })
  callers!: SimulatedCallerType[];

  @Field(() => [SimulatedOperationType], { description: 'The operations, most denied first.' })
  operations!: SimulatedOperationType[];
}

@ObjectType('RuleSimulationPayload', { description: 'What a draft would have meant, or why it cannot be tried out.' })
export class RuleSimulationPayload {
  @Field(() => RuleSimulationType, { nullable: true, description: 'Null with user errors.' })
  simulation!: RuleSimulationType | null;

  @Field(() => [UserErrorType], { description: 'What is wrong with the draft; empty on success.' })
  userErrors!: UserError[];
}
