import { Field, Float, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';

@ObjectType('LiveCaller', { description: 'Activity of one caller in the period.' })
class LiveCallerType {
  @Field(() => CallerType, { description: 'The caller.' })
  caller!: CallerType;

  @Field(() => SafeIntScalar, { description: 'Number of operations, admitted and denied.' })
  decisions!: number;

  @Field(() => SafeIntScalar, { description: 'Number of denied operations.' })
  denied!: number;

  @Field(() => SafeIntScalar, { description: 'Spent tokens.' })
  cost!: number;
}

@ObjectType('HotCaller', { description: 'A caller with a large share of the decisions.' })
export class HotCallerType {
  @Field(() => CallerType, { description: 'The caller.' })
  caller!: CallerType;

  @Field(() => Float, {
    description:
      'Lower bound of the decisions per second, admitted and denied, in all processes together. It is an average over ten to twenty seconds, or less in a process that started recently.',
  })
  decisionsPerSecond!: number;
}

@ObjectType('HotCallers', { description: 'The callers with the most decisions in all processes at this moment.' })
export class HotCallersType {
  @Field(() => DateTimeScalar, { description: 'Time at which the counts of the processes were requested.' })
  time!: Date;

  @Field(() => Int, { description: 'Number of processes that reported their counts.' })
  processes!: number;

  @Field(() => [HotCallerType], { description: 'The callers, ordered by decisions per second, the highest first.' })
  callers!: HotCallerType[];
}

@ObjectType('LiveIntegration', { description: 'Operations that one integration asked for in the period.' })
export class LiveIntegrationType {
  @Field(() => String, {
    nullable: true,
    description: 'Name of the integration; null for the other operations.',
  })
  integration!: string | null;

  @Field(() => SafeIntScalar, { description: 'Number of operations, admitted and denied.' })
  decisions!: number;

  @Field(() => SafeIntScalar, { description: 'Number of denied operations.' })
  denied!: number;

  @Field(() => SafeIntScalar, { description: 'Spent tokens.' })
  cost!: number;
}

@ObjectType('LiveTraffic', {
  description: 'Decisions of all processes of the platform in the last ten seconds.',
})
export class LiveTrafficType {
  @Field(() => DateTimeScalar, { description: 'Time at which the numbers were added up.' })
  time!: Date;

  @Field(() => Int, {
    description:
      'Length of the counted period in milliseconds, up to 10000. It is shorter at first, because counting starts with the first open subscription.',
  })
  periodMs!: number;

  @Field(() => Int, { description: 'Number of processes in the sums.' })
  processes!: number;

  @Field(() => SafeIntScalar, { description: 'Number of admitted operations.' })
  admitted!: number;

  @Field(() => SafeIntScalar, { description: 'Number of operations that were denied because a limit was used up.' })
  throttled!: number;

  @Field(() => SafeIntScalar, {
    description: 'Number of operations that were denied because they are too expensive for a limit at any time.',
  })
  maxCostExceeded!: number;

  @Field(() => SafeIntScalar, {
    description: 'Number of operations that were denied because their counters were unavailable.',
  })
  unavailable!: number;

  @Field(() => SafeIntScalar, {
    description: 'Number of operations, admitted or denied, that were decided without the shared counters.',
  })
  degraded!: number;

  @Field(() => SafeIntScalar, { description: 'Spent tokens.' })
  cost!: number;

  @Field(() => [LiveCallerType], {
    description:
      'Up to `top` callers, ordered by spent tokens, the highest first. Each process includes the first 1,000 different callers of each second.',
  })
  callers!: LiveCallerType[];

  @Field(() => [HotCallerType], {
    description:
      'Up to `top` callers and at most 32, ordered by decisions, the highest first. They are also counted while no subscription is open.',
  })
  hotCallers!: HotCallerType[];

  @Field(() => [LiveIntegrationType], {
    description:
      'The decisions by the integration of the decision service that asked for them, ordered by spent tokens, the highest first.',
  })
  integrations!: LiveIntegrationType[];
}
