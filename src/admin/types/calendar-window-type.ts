import { Field, Int, ObjectType } from 'type-graphql';
import type { CalendarAnchor, CalendarPeriod, CarryOver } from '../../model/limit-parameters.js';
import { CalendarAnchors, CalendarPeriods } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';

export const PERIOD_AMOUNT = 'Amount that a period includes.';
export const EVERY = 'Length of a period.';
export const TIME_ZONE = 'IANA name of the time zone of the periods. Default: `UTC`.';
export const ANCHOR_DAY = 'Day of the start: 1 to 31, for `WEEK` 1 (Monday) to 7. Default: 1.';
export const ANCHOR_TIME = 'Local time at which a period begins, as `HH:MM`. Default: `00:00`.';
export const ANCHOR = 'Date from which the periods are counted. Default: `CALENDAR`.';
export const HARD_CAP = 'Amount at which denials start, after overage. Default: `amount`.';
export const CARRY_OVER = 'Part of the unused amount that only the next period gets.';
export const PERCENT = 'Percentage of the unused amount: 1 to 100.';
export const CARRY_MAX = 'Maximum amount that is carried over.';

@ObjectType('CarryOver', { description: 'Part of the unused amount of a period that only the next period gets.' })
class CarryOverType {
  @Field(() => Int, { description: PERCENT })
  percent!: number;

  @Field(() => SafeIntScalar, { description: CARRY_MAX })
  max!: number;
}

/** The fields of calendar windows, for limits of rules and for budgets of tiers. */
@ObjectType('CalendarWindow', { description: 'Fields of a calendar window.' })
export abstract class CalendarWindowType {
  @Field(() => SafeIntScalar, { description: PERIOD_AMOUNT })
  amount!: number;

  @Field(() => CalendarPeriods, { description: EVERY })
  every!: CalendarPeriod;

  @Field(() => String, { nullable: true, description: TIME_ZONE })
  timeZone?: string;

  @Field(() => Int, { nullable: true, description: ANCHOR_DAY })
  anchorDay?: number;

  @Field(() => String, { nullable: true, description: ANCHOR_TIME })
  anchorTime?: string;

  @Field(() => CalendarAnchors, { nullable: true, description: ANCHOR })
  anchor?: CalendarAnchor;

  @Field(() => SafeIntScalar, { nullable: true, description: HARD_CAP })
  hardCap?: number;

  @Field(() => CarryOverType, { nullable: true, description: CARRY_OVER })
  carryOver?: CarryOver;
}

@ObjectType('CalendarBudget', {
  description: 'Tokens that a caller of a tier, or an API key, may spend in a period of the calendar.',
})
export class CalendarBudgetType extends CalendarWindowType {}

@ObjectType('QuotaPeriod', { description: 'The current period of a calendar window, and its usage.' })
export class QuotaPeriodType {
  @Field(() => CalendarPeriods, { description: EVERY })
  every!: CalendarPeriod;

  @Field(() => String, { description: 'IANA name of the time zone.' })
  timeZone!: string;

  @Field(() => DateTimeScalar, { description: 'Start of the period. It ends at `resetAt`.' })
  startsAt!: Date;

  @Field(() => SafeIntScalar, { description: PERIOD_AMOUNT })
  amount!: number;

  @Field(() => SafeIntScalar, { description: 'Part of the used amount that exceeds `amount`.' })
  overage!: number;

  @Field(() => SafeIntScalar, { description: 'Amount that is left of the previous period. It is used first.' })
  carriedOver!: number;
}
