import { Field, Float, Int, ObjectType } from 'type-graphql';
import { CallerType } from '../callers/caller-type.js';
import { DateTimeScalar } from '../schema/scalars.js';

@ObjectType('LiveCaller', { description: 'A caller of the last ten seconds. All numbers are per second.' })
export class LiveCallerType {
  @Field(() => CallerType, { description: 'The one who asked.' })
  caller!: CallerType;

  @Field(() => Float, { description: 'Operations decided, admitted and denied.' })
  decisions!: number;

  @Field(() => Float, { description: 'Operations denied.' })
  denied!: number;

  @Field(() => Float, { description: 'What was spent, in tokens.' })
  cost!: number;
}

@ObjectType('LiveTraffic', {
  description: 'What all processes of the platform decided since the sample before. All numbers are per second.',
})
export class LiveTrafficType {
  @Field(() => DateTimeScalar, { description: 'When it was added up.' })
  time!: Date;

  @Field(() => Int, { description: 'How many processes it is the sum of.' })
  processes!: number;

  @Field(() => Float, { description: 'Operations admitted.' })
  admitted!: number;

  @Field(() => Float, { description: 'Operations denied as a limit had no room left.' })
  throttled!: number;

  @Field(() => Float, { description: 'Operations denied as they are too expensive ever to be admitted.' })
  maxCostExceeded!: number;

  @Field(() => Float, { description: 'Operations denied as their limits could not be asked.' })
  unavailable!: number;

  @Field(() => Float, { description: 'Operations, admitted or denied, that were decided without the shared counters.' })
  degraded!: number;

  @Field(() => Float, { description: 'What was spent, in tokens.' })
  cost!: number;

  @Field(() => [LiveCallerType], {
    description:
      'Who spends most, the first 50 at most. Of each process and second, the first 1,000 different callers are looked at.',
  })
  callers!: LiveCallerType[];
}
