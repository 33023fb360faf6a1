import { Field, Float, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';

@ObjectType('LiveCaller', { description: 'What a caller did in the period.' })
class LiveCallerType {
  @Field(() => CallerType, { description: 'The one who asked.' })
  caller!: CallerType;

  @Field(() => SafeIntScalar, { description: 'Operations decided, admitted and denied.' })
  decisions!: number;

  @Field(() => SafeIntScalar, { description: 'Operations denied.' })
  denied!: number;

  @Field(() => SafeIntScalar, { description: 'What was spent, in tokens.' })
  cost!: number;
}

@ObjectType('HotCaller', { description: 'A caller who takes many of the decisions.' })
export class HotCallerType {
  @Field(() => CallerType, { description: 'The one who asks.' })
  caller!: CallerType;

  @Field(() => Float, {
    description:
      'Decisions a second, admitted and denied, of all processes together: at least so many. Over ten to twenty seconds, fewer in a process that has just started.',
  })
  decisionsPerSecond!: number;
}

@ObjectType('HotCallers', { description: 'The callers who take most of the decisions of all processes, now.' })
export class HotCallersType {
  @Field(() => DateTimeScalar, { description: 'When it was asked of the processes.' })
  time!: Date;

  @Field(() => Int, { description: 'How many processes have answered.' })
  processes!: number;

  @Field(() => [HotCallerType], { description: 'The busiest first.' })
  callers!: HotCallerType[];
}

@ObjectType('LiveTraffic', {
  description: 'What all processes of the platform decided in the last ten seconds, in whole numbers.',
})
export class LiveTrafficType {
  @Field(() => DateTimeScalar, { description: 'When it was added up.' })
  time!: Date;

  @Field(() => Int, {
    description:
      'How many milliseconds all numbers are of: up to 10000, less at first, as nothing is counted while no subscription is open.',
  })
  periodMs!: number;

  @Field(() => Int, { description: 'How many processes it is the sum of.' })
  processes!: number;

  @Field(() => SafeIntScalar, { description: 'Operations admitted.' })
  admitted!: number;

  @Field(() => SafeIntScalar, { description: 'Operations denied as a limit had no room left.' })
  throttled!: number;

  @Field(() => SafeIntScalar, { description: 'Operations denied as they are too expensive ever to be admitted.' })
  maxCostExceeded!: number;

  @Field(() => SafeIntScalar, { description: 'Operations denied as their limits could not be asked.' })
  unavailable!: number;

  @Field(() => SafeIntScalar, {
    description: 'Operations, admitted or denied, that were decided without the shared counters.',
  })
  degraded!: number;

  @Field(() => SafeIntScalar, { description: 'What was spent, in tokens.' })
  cost!: number;

  @Field(() => [LiveCallerType], {
    description:
      'Who spent most, the first 50 at most. Of each process and second, the first 1,000 different callers are looked at.',
  })
  callers!: LiveCallerType[];

  @Field(() => [HotCallerType], {
    description:
      'Who takes most decisions, the busiest first: as many as `top` says, 32 at most. Counted all the time, and not only while a subscription is open.',
  })
  hotCallers!: HotCallerType[];
}
