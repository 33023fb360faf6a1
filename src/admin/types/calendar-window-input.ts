import { Field, InputType, Int } from 'type-graphql';
import type { CalendarAnchor, CalendarPeriod } from '../../model/limit-parameters.js';
import { CalendarAnchors, CalendarPeriods } from '../schema/enums.js';
import { SafeIntScalar } from '../schema/json-scalar.js';
import {
  ANCHOR,
  ANCHOR_DAY,
  ANCHOR_TIME,
  CARRY_MAX,
  CARRY_OVER,
  EVERY,
  HARD_CAP,
  PERCENT,
  PERIOD_AMOUNT,
  TIME_ZONE,
} from './calendar-window-type.js';

@InputType('CarryOverInput', { description: 'Part of the unused amount of a period that only the next period gets.' })
class CarryOverInput {
  @Field(() => Int, { description: PERCENT })
  percent!: number;

  @Field(() => SafeIntScalar, { description: CARRY_MAX })
  max!: number;
}

/** The fields of calendar windows in inputs, for limits of rules and for budgets. */
@InputType('CalendarWindowInput', { description: 'Parameters of a calendar window.' })
export abstract class CalendarWindowInput {
  @Field(() => SafeIntScalar, { description: PERIOD_AMOUNT })
  amount!: number;

  @Field(() => CalendarPeriods, { description: EVERY })
  every!: CalendarPeriod;

  @Field(() => String, { nullable: true, description: TIME_ZONE })
  timeZone?: string | null;

  @Field(() => Int, { nullable: true, description: ANCHOR_DAY })
  anchorDay?: number | null;

  @Field(() => String, { nullable: true, description: ANCHOR_TIME })
  anchorTime?: string | null;

  @Field(() => CalendarAnchors, { nullable: true, description: ANCHOR })
  anchor?: CalendarAnchor | null;

  @Field(() => SafeIntScalar, { nullable: true, description: HARD_CAP })
  hardCap?: number | null;

  @Field(() => CarryOverInput, { nullable: true, description: CARRY_OVER })
  carryOver?: CarryOverInput | null;
}

@InputType('CalendarBudgetInput', {
  description: 'Input of a budget for periods of the calendar, of a tier or an API key.',
})
export class CalendarBudgetInput extends CalendarWindowInput {}
