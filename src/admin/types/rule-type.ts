import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { OnUnavailable, Precision } from '../../model/limit-parameters.js';
import type { RegionMode } from '../../model/region-mode.js';
import type { EventPolicy, Measure, Rule, RuleLimit } from '../../model/rule.js';
import type { Scope } from '../../model/subject.js';
import type { RuleRecord } from '../../rules/store/rule-record.js';
import { CreateInput, Payload, UpdateInput } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { EventPolicies, Measures, Modes, Outages, Precisions, RegionModes, Scopes, Sources } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { RuleLimitUnion } from './limit-types.js';
import { RuleLimitInput } from './rule-limit-input.js';
import {
  RuleActionInput,
  RuleActionType,
  RuleMatchInput,
  RuleMatchType,
  RuleResponseInput,
  RuleResponseType,
} from './rule-match-type.js';
import { RuleScheduleInput, RuleScheduleType } from './rule-schedule-type.js';

const NAME = 'Name in denials: 1 to 100 ASCII characters, unique among rules in use.';
const ON_EVENT_DENIED = 'Effect on a subscription when the rule denies one of its events.';
const REGION_MODE = 'Way in which the Redis servers of several regions enforce the limits of the rule.';
const PRIORITY = 'Among equal scopes, fields and measures, the lowest number wins.';
const FIELD = 'Counted fields: `Query.search`, `Query.*`, `*.posts`, or `*` for all.';
const FIELDS = 'Up to 50 patterns, each as in `field`. They share the counters.';
const SCHEDULE = 'Hours of the week in which the rule applies.';
const ACTIVE_FROM = 'Time from which the rule applies.';
const ACTIVE_UNTIL = 'Time until which the rule applies.';
const ROLLOUT = 'Percentage of tenants, and of callers without one, it applies to.';

@ObjectType('RuleInRegion', { description: 'The part of the limits of a rule that one region enforces.' })
export class RuleInRegionType {
  @Field(() => String, { description: 'Name of the region.' })
  region!: string;

  @Field(() => [SafeIntScalar], {
    description: 'Amount or capacity of each limit in the region, in the order of `limits`.',
  })
  limits!: readonly number[];
}

@ObjectType('Rule', {
  implements: NodeType,
  description:
    'A rule: limits for operations and callers. Rules of different levels (scope, field, measure) apply together.',
})
export class RuleType extends NodeType {
  @Field(() => String, { description: NAME })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Note for administrators.' })
  description?: string;

  @Field(() => Sources, {
    description: 'Place where the rule is defined.',
  })
  source!: keyof typeof Sources;

  @Field(() => String, {
    nullable: true,
    description: 'Service whose code defines the rule; null if it is stored, or if the server has no name.',
  })
  service!: string | null;

  @Field(() => Modes, { description: 'Mode of the rule.' })
  mode!: Rule['mode'];

  @Field(() => Float, { description: ROLLOUT })
  rolloutPercent!: number;

  @Field(() => Int, { description: PRIORITY })
  priority!: number;

  @Field(() => RuleMatchType, { description: 'Conditions on the operations and callers that the rule applies to.' })
  match!: RuleMatchType;

  @Field(() => Scopes, { description: 'Callers that share the counters of the rule.' })
  scope!: Scope;

  @Field(() => String, { description: `${FIELD} Several patterns are separated by commas.` })
  field!: string;

  @Field(() => [String], { description: 'The patterns in `field`. Their fields share the counters of the rule.' })
  fields!: readonly string[];

  @Field(() => Measures, { description: 'Unit that the limits of the rule count: tokens, calls, requests or objects.' })
  measure!: Measure;

  @Field(() => [RuleLimitUnion], { description: 'The limits. An operation must fit all of them.' })
  limits!: readonly RuleLimit[];

  @Field(() => RuleActionType, { description: 'Action on operations that exceed the limits.' })
  action!: RuleActionType;

  @Field(() => Outages, { description: 'Behavior of the rule while its counters are unavailable.' })
  onUnavailable!: OnUnavailable;

  @Field(() => Precisions, { description: 'Way in which the limits of the rule count.' })
  precision!: Precision;

  @Field(() => RegionModes, { description: REGION_MODE })
  regionMode!: RegionMode;

  @Field(() => EventPolicies, { description: ON_EVENT_DENIED })
  onEventDenied!: EventPolicy;

  @Field(() => RuleResponseType, {
    nullable: true,
    description: 'Content of denials by the rule, instead of the default content.',
  })
  response?: RuleResponseType;

  @Field(() => RuleScheduleType, { nullable: true, description: `${SCHEDULE} Null for all hours.` })
  schedule?: RuleScheduleType;

  @Field(() => DateTimeScalar, { nullable: true, description: `${ACTIVE_FROM} Null for no start.` })
  activeFrom?: string;

  @Field(() => DateTimeScalar, { nullable: true, description: `${ACTIVE_UNTIL} Null for no end.` })
  activeUntil?: string;

  @Field(() => Int, { description: 'Version for `expectedVersion`. Each change raises it by one.' })
  version!: number;

  @Field(() => DateTimeScalar, {
    description: 'Time of creation. For a rule in code: the time of its publication, or of the start of its server.',
  })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'Time of the last change.' })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the rule was retired; null while it is in use.',
  })
  retiredAt!: Date | null;

  /** Id in the store, or the key of a rule in code. */
  key!: string;

  /** The rule with its id in the store. */
  record!: RuleRecord;
}

export const RuleConnectionType = connectionOf('Rule', RuleType, 'rules', { isCounted: true });

@InputType('RuleCreateInput', {
  description:
    'A new rule. 20 searches a minute per user: `{name: "search", scope: USER, field: "Query.search", measure: CALLS, limits: [{slidingWindowCounter: {amount: 20, windowMs: 60000}}]}`.',
})
export class RuleCreateInput extends CreateInput {
  @Field(() => String, { description: NAME })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Note for administrators, up to 1000 characters.' })
  description?: string | null;

  @Field(() => Modes, {
    nullable: true,
    description: 'Mode of the rule. Default: `ENFORCE`. Start with `SHADOW` to see which callers it would deny.',
  })
  mode?: Rule['mode'];

  @Field(() => Float, { nullable: true, description: `${ROLLOUT} Default: 100.` })
  rolloutPercent?: number;

  @Field(() => Int, { nullable: true, description: `${PRIORITY} 0 to 1000000. Default: 100.` })
  priority?: number;

  @Field(() => RuleMatchInput, {
    nullable: true,
    description: 'Conditions on the operations and callers that the rule applies to. Default: all.',
  })
  match?: RuleMatchInput;

  @Field(() => Scopes, { description: 'Callers that share the counters of the rule.' })
  scope!: Scope;

  @Field(() => String, { nullable: true, description: `${FIELD} Set either this or \`fields\`.` })
  field?: string | null;

  @Field(() => [String], { nullable: true, description: `${FIELDS} Set either this or \`field\`.` })
  fields?: string[] | null;

  @Field(() => Measures, { nullable: true, description: 'Unit that the limits of the rule count. Default: `COST`.' })
  measure?: Measure;

  @Field(() => [RuleLimitInput], {
    description: 'One to eight limits, none for EXEMPT. An operation must fit all of them.',
  })
  limits!: RuleLimitInput[];

  @Field(() => RuleActionInput, {
    nullable: true,
    description: 'Action on operations that exceed the limits. Default: `{type: REJECT}`.',
  })
  action?: RuleActionInput;

  @Field(() => Outages, {
    nullable: true,
    description: 'Behavior of the rule while its counters are unavailable. Default: `LOCAL`.',
  })
  onUnavailable?: OnUnavailable;

  @Field(() => Precisions, {
    nullable: true,
    description: 'Way in which the limits of the rule count. Default: `EXACT`.',
  })
  precision?: Precision;

  @Field(() => RegionModes, { nullable: true, description: `${REGION_MODE} Default: \`CENTRAL\`.` })
  regionMode?: RegionMode;

  @Field(() => EventPolicies, { nullable: true, description: `${ON_EVENT_DENIED} Default: \`COMPLETE\`.` })
  onEventDenied?: EventPolicy;

  @Field(() => RuleResponseInput, {
    nullable: true,
    description: 'Content of denials by the rule, instead of the default content.',
  })
  response?: RuleResponseInput | null;

  @Field(() => RuleScheduleInput, { nullable: true, description: `${SCHEDULE} Default: all hours.` })
  schedule?: RuleScheduleInput | null;

  @Field(() => DateTimeScalar, { nullable: true, description: `${ACTIVE_FROM} Default: no start.` })
  activeFrom?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: `${ACTIVE_UNTIL} Default: no end.`,
  })
  activeUntil?: Date | null;
}

@InputType('RuleChangeInput', { description: 'The rule that a change is about.' })
export abstract class RuleChangeInput extends UpdateInput {
  @Field(() => ID, { nullable: true, description: 'The id of the rule. Set either this or `name`.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'The name of a rule in use. Set either this or `id`.' })
  name?: string | null;
}

@InputType('RuleUpdateInput', {
  description:
    'A change of a rule. Omitted members stay unchanged. A new `match`, `limits`, `action`, `response` or `schedule` replaces the old one completely.',
})
export class RuleUpdateInput extends RuleChangeInput {
  @Field(() => String, { nullable: true, description: `The new name. ${NAME}` })
  newName?: string;

  @Field(() => String, { nullable: true, description: 'Note for administrators; null removes it.' })
  description?: string | null;

  @Field(() => Modes, { nullable: true, description: 'Mode of the rule.' })
  mode?: Rule['mode'];

  @Field(() => Float, { nullable: true, description: ROLLOUT })
  rolloutPercent?: number;

  @Field(() => Int, { nullable: true, description: PRIORITY })
  priority?: number;

  @Field(() => RuleMatchInput, {
    nullable: true,
    description: 'Conditions on the operations and callers that the rule applies to; `{}` for all.',
  })
  match?: RuleMatchInput;

  @Field(() => Scopes, {
    nullable: true,
    description: 'Callers that share the counters of the rule. A changed scope starts new counters.',
  })
  scope?: Scope;

  @Field(() => String, {
    nullable: true,
    description: `${FIELD} It replaces \`fields\`. A changed pattern starts new counters.`,
  })
  field?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: `${FIELDS} They replace \`field\`. Changed patterns start new counters.`,
  })
  fields?: string[] | null;

  @Field(() => Measures, {
    nullable: true,
    description: 'Unit that the limits of the rule count. A changed unit starts new counters.',
  })
  measure?: Measure;

  @Field(() => [RuleLimitInput], {
    nullable: true,
    description:
      'The limits. Changed amounts keep the counters. A changed algorithm or window starts new counters and adds a warning.',
  })
  limits?: RuleLimitInput[];

  @Field(() => RuleActionInput, { nullable: true, description: 'Action on operations that exceed the limits.' })
  action?: RuleActionInput;

  @Field(() => Outages, { nullable: true, description: 'Behavior of the rule while its counters are unavailable.' })
  onUnavailable?: OnUnavailable;

  @Field(() => Precisions, {
    nullable: true,
    description: 'Way in which the limits of the rule count. A changed value keeps the counters.',
  })
  precision?: Precision;

  @Field(() => RegionModes, { nullable: true, description: `${REGION_MODE} A changed value keeps the counters.` })
  regionMode?: RegionMode;

  @Field(() => EventPolicies, { nullable: true, description: ON_EVENT_DENIED })
  onEventDenied?: EventPolicy;

  @Field(() => RuleResponseInput, {
    nullable: true,
    description: 'Content of denials by the rule; null restores the default content.',
  })
  response?: RuleResponseInput | null;

  @Field(() => RuleScheduleInput, { nullable: true, description: `${SCHEDULE} Null removes them.` })
  schedule?: RuleScheduleInput | null;

  @Field(() => DateTimeScalar, { nullable: true, description: `${ACTIVE_FROM} Null removes it.` })
  activeFrom?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: `${ACTIVE_UNTIL} Null removes it.`,
  })
  activeUntil?: Date | null;
}

@InputType('RuleSetModeInput', { description: 'A new mode of a rule, for all callers or for a share of them.' })
export class RuleSetModeInput extends RuleChangeInput {
  @Field(() => Modes, { description: 'The new mode of the rule.' })
  mode!: Rule['mode'];

  @Field(() => Float, { nullable: true, description: `${ROLLOUT} Default: unchanged.` })
  rolloutPercent?: number;
}

@InputType('RuleRetireInput', {
  description: 'The rule to retire. Its history stays, and `ruleRestore` can restore it.',
})
export class RuleRetireInput extends RuleChangeInput {}

@InputType('RuleRestoreInput', {
  description: 'A retired rule to restore, or a rule to return to an earlier version.',
})
export class RuleRestoreInput extends RuleChangeInput {
  @Field(() => Int, {
    nullable: true,
    description: 'A `version` from its history. Default: the version at its retirement.',
  })
  toVersion?: number | null;
}

@ObjectType('RulePayload', { description: 'Result of a change to a rule.' })
export class RulePayload extends Payload {
  @Field(() => RuleType, {
    nullable: true,
    description:
      'The rule after the change, or after a planned change in a dry run. With user errors: the unchanged rule.',
  })
  rule!: RuleType | null;
}
