import { Field, InputType, ObjectType, registerEnumType } from 'type-graphql';
import type { Weekday } from '../../model/rule.js';

const Weekdays = {
  MON: 'MON',
  TUE: 'TUE',
  WED: 'WED',
  THU: 'THU',
  FRI: 'FRI',
  SAT: 'SAT',
  SUN: 'SUN',
} as const satisfies { [Day in Weekday]: Day };

registerEnumType(Weekdays, {
  name: 'Weekday',
  description: 'Days of the week.',
  valuesConfig: {
    MON: { description: 'Monday.' },
    TUE: { description: 'Tuesday.' },
    WED: { description: 'Wednesday.' },
    THU: { description: 'Thursday.' },
    FRI: { description: 'Friday.' },
    SAT: { description: 'Saturday.' },
    SUN: { description: 'Sunday.' },
  },
});

const TIME_ZONE = 'IANA name of the time zone: `Europe/Berlin`.';
const DAYS = 'Days on which the hours begin.';
const FROM = 'Start of the hours in local time, as `HH:MM`.';
const TO = 'End of the hours, up to `24:00`. Hours that end before they start pass midnight.';

@ObjectType('RuleSchedule', { description: 'Hours of the week in which a rule applies, in local time.' })
export class RuleScheduleType {
  @Field(() => String, { description: TIME_ZONE })
  timeZone!: string;

  @Field(() => [Weekdays], { nullable: true, description: `${DAYS} Null for every day.` })
  days?: readonly Weekday[];

  @Field(() => String, { description: FROM })
  from!: string;

  @Field(() => String, { description: TO })
  to!: string;
}

@InputType('RuleScheduleInput', {
  description:
    'Hours of the week in which a rule applies: `{timeZone: "Europe/Berlin", days: [MON, TUE, WED, THU, FRI], from: "08:00", to: "18:00"}`.',
})
export class RuleScheduleInput {
  @Field(() => String, { nullable: true, description: `${TIME_ZONE} Default: \`UTC\`.` })
  timeZone?: string;

  @Field(() => [Weekdays], { nullable: true, description: `${DAYS} Default: every day.` })
  days?: Weekday[];

  @Field(() => String, { nullable: true, description: `${FROM} Default: \`00:00\`.` })
  from?: string;

  @Field(() => String, { nullable: true, description: `${TO} Default: \`24:00\`.` })
  to?: string;
}
