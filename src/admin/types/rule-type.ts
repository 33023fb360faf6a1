import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { OnUnavailable, Precision } from '../../model/limit-parameters.js';
import type { Measure, Rule, RuleLimit } from '../../model/rule.js';
import type { Scope } from '../../model/subject.js';
import { CreateInput, Payload, UpdateInput } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { Measures, Modes, Outages, Precisions, Scopes, Sources } from '../schema/enums.js';
import { DateTimeScalar } from '../schema/json-scalar.js';
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

const NAME = 'What denials call it: 1 to 100 characters of ASCII, unique in use.';
const PRIORITY = 'Of the rules of one level that match, only the lowest applies.';
const FIELD = 'What is counted: `Query.search`, `Query.*`, `*.posts`, or `*`: all.';
const ROLLOUT = 'Percent of tenants, else users: always the same ones.';

@ObjectType('Rule', {
  implements: NodeType,
  description:
    'What is limited, for which callers, and how. Rules of different levels (scope, field, measure) apply together.',
})
export class RuleType extends NodeType {
  @Field(() => String, { description: NAME })
  name!: string;

  @Field(() => String, { nullable: true, description: 'For the people who administer it.' })
  description?: string;

  @Field(() => Sources, {
    description: 'Where it is defined.',
  })
  source!: keyof typeof Sources;

  @Field(() => String, {
    nullable: true,
    description: 'The service whose code it is in; null: it is stored, or in the code of a server without a name.',
  })
  service!: string | null;

  @Field(() => Modes, { description: 'Whether it denies.' })
  mode!: Rule['mode'];

  @Field(() => Float, { description: ROLLOUT })
  rolloutPercent!: number;

  @Field(() => Int, { description: PRIORITY })
  priority!: number;

  @Field(() => RuleMatchType, { description: 'Which operations and callers it is for.' })
  match!: RuleMatchType;

  @Field(() => Scopes, { description: 'Who shares its counters.' })
  scope!: Scope;

  @Field(() => String, { description: FIELD })
  field!: string;

  @Field(() => Measures, { description: 'What its limits count: tokens, calls, requests, objects.' })
  measure!: Measure;

  @Field(() => [RuleLimitUnion], { description: 'All of them have to have room.' })
  limits!: readonly RuleLimit[];

  @Field(() => RuleActionType, { description: 'What becomes of operations that exceed it.' })
  action!: RuleActionType;

  @Field(() => Outages, { description: 'What becomes of it while its counters cannot be reached.' })
  onUnavailable!: OnUnavailable;

  @Field(() => Precisions, { description: 'How its limits count.' })
  precision!: Precision;

  @Field(() => RuleResponseType, { nullable: true, description: 'What its denials say instead of the usual.' })
  response?: RuleResponseType;

  @Field(() => Int, { description: 'Rises by one with each change. Send it back as `expectedVersion`.' })
  version!: number;

  @Field(() => DateTimeScalar, {
    description: 'When the rule was created; in code: when it was published, or its server started.',
  })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When the rule was last changed.' })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the rule was taken out of use; null: it is in use.',
  })
  retiredAt!: Date | null;

  /** Id in the store. */
  key!: string;
}

export const RuleConnectionType = connectionOf('Rule', RuleType, 'rules', { isCounted: true });

@InputType('RuleFilter', { description: 'Which rules; all conditions together.' })
export class RuleFilterInput {
  @Field(() => Boolean, { defaultValue: false, description: 'Those that are out of use, instead of those in use.' })
  retired?: boolean;

  @Field(() => Modes, { nullable: true, description: 'In this mode.' })
  mode?: Rule['mode'] | null;

  @Field(() => Scopes, { nullable: true, description: 'With this scope.' })
  scope?: Scope | null;

  @Field(() => String, { nullable: true, description: 'With exactly this field pattern.' })
  field?: string | null;

  @Field(() => String, { nullable: true, description: 'Made for this tier by name.' })
  tier?: string | null;

  @Field(() => String, { nullable: true, description: 'With this in their name, in any case.' })
  nameContains?: string | null;
}

@InputType('RuleCreateInput', {
  description:
    'A new rule. 20 searches a minute per user: `{name: "search", scope: USER, field: "Query.search", measure: CALLS, limits: [{slidingWindowCounter: {amount: 20, windowMs: 60000}}]}`.',
})
export class RuleCreateInput extends CreateInput {
  @Field(() => String, { description: NAME })
  name!: string;

  @Field(() => String, { nullable: true, description: 'For the people who administer it, up to 1000 characters.' })
  description?: string | null;

  @Field(() => Modes, {
    nullable: true,
    description: 'Left out: `ENFORCE`. Begin with `SHADOW` to see which callers it would deny.',
  })
  mode?: Rule['mode'];

  @Field(() => Float, { nullable: true, description: `${ROLLOUT} Left out: 100.` })
  rolloutPercent?: number;

  @Field(() => Int, { nullable: true, description: `${PRIORITY} 0 to 1000000; left out: 100.` })
  priority?: number;

  @Field(() => RuleMatchInput, { nullable: true, description: 'Left out: everything and everybody.' })
  match?: RuleMatchInput;

  @Field(() => Scopes, { description: 'Who shares its counters.' })
  scope!: Scope;

  @Field(() => String, { description: FIELD })
  field!: string;

  @Field(() => Measures, { nullable: true, description: 'Left out: `COST`.' })
  measure?: Measure;

  @Field(() => [RuleLimitInput], { description: 'One to eight, all of which have to have room; none for EXEMPT.' })
  limits!: RuleLimitInput[];

  @Field(() => RuleActionInput, { nullable: true, description: 'Left out: `{type: REJECT}`.' })
  action?: RuleActionInput;

  @Field(() => Outages, { nullable: true, description: 'Left out: `LOCAL`.' })
  onUnavailable?: OnUnavailable;

  @Field(() => Precisions, { nullable: true, description: 'Left out: `EXACT`.' })
  precision?: Precision;

  @Field(() => RuleResponseInput, { nullable: true, description: 'What its denials say instead of the usual.' })
  response?: RuleResponseInput | null;
}

@InputType('RuleChangeInput', { description: 'Which rule a change is about.' })
export abstract class RuleChangeInput extends UpdateInput {
  @Field(() => ID, { nullable: true, description: 'The id of the rule; or its name.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'The name of a rule in use, in place of its id.' })
  name?: string | null;
}

@InputType('RuleUpdateInput', {
  description:
    'What to change about a rule. What is left out stays as it is; `match`, `limits`, `action` and `response` are replaced whole.',
})
export class RuleUpdateInput extends RuleChangeInput {
  @Field(() => String, { nullable: true, description: `The name that it is to have. ${NAME}` })
  newName?: string;

  @Field(() => String, { nullable: true, description: 'For the people who administer it; null takes it away.' })
  description?: string | null;

  @Field(() => Modes, { nullable: true, description: 'Whether it denies.' })
  mode?: Rule['mode'];

  @Field(() => Float, { nullable: true, description: ROLLOUT })
  rolloutPercent?: number;

  @Field(() => Int, { nullable: true, description: PRIORITY })
  priority?: number;

  @Field(() => RuleMatchInput, { nullable: true, description: 'Which operations and callers it is for; `{}`: all.' })
  match?: RuleMatchInput;

  @Field(() => Scopes, { nullable: true, description: 'Who shares its counters. Another one starts new counters.' })
  scope?: Scope;

  @Field(() => String, { nullable: true, description: `${FIELD} Another one starts new counters.` })
  field?: string;

  @Field(() => Measures, { nullable: true, description: 'What its limits count. Another one starts new counters.' })
  measure?: Measure;

  @Field(() => [RuleLimitInput], {
    nullable: true,
    description:
      'Other amounts go on with the same counters; another algorithm or window starts new ones, and a warning says so.',
  })
  limits?: RuleLimitInput[];

  @Field(() => RuleActionInput, { nullable: true, description: 'What becomes of operations that exceed it.' })
  action?: RuleActionInput;

  @Field(() => Outages, { nullable: true, description: 'What becomes of it while its counters cannot be reached.' })
  onUnavailable?: OnUnavailable;

  @Field(() => Precisions, {
    nullable: true,
    description: 'How its limits count. Another one goes on with the same counters.',
  })
  precision?: Precision;

  @Field(() => RuleResponseInput, { nullable: true, description: 'What its denials say; null: the usual.' })
  response?: RuleResponseInput | null;
}

@InputType('RuleSetModeInput', { description: 'Switches a rule off, to shadow, or on, for all or for a share.' })
export class RuleSetModeInput extends RuleChangeInput {
  @Field(() => Modes, { description: 'The mode that the rule is to have.' })
  mode!: Rule['mode'];

  @Field(() => Float, { nullable: true, description: `${ROLLOUT} Left out: as it is.` })
  rolloutPercent?: number;
}

@InputType('RuleRetireInput', { description: 'Takes a rule out of use. Its history stays, and it can be restored.' })
export class RuleRetireInput extends RuleChangeInput {}

@InputType('RuleRestoreInput', {
  description: 'Puts a retired rule back into use, or any rule back to an earlier version.',
})
export class RuleRestoreInput extends RuleChangeInput {
  @Field(() => Int, {
    nullable: true,
    description: 'A `version` out of its history. Left out: as it was when it was retired.',
  })
  toVersion?: number | null;
}

@ObjectType('RulePayload', { description: 'What became of a change to a rule.' })
export class RulePayload extends Payload {
  @Field(() => RuleType, {
    nullable: true,
    description: 'As it is now, or would be; with user errors: as it is.',
  })
  rule!: RuleType | null;
}
