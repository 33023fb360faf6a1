import { Field, Float, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../schema/scalars.js';

@ObjectType('LiveSubject', { description: 'A caller of the last ten seconds. All numbers are per second.' })
export class LiveSubjectType {
  @Field(() => String, { nullable: true, description: 'The tenant; null for none.' })
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'The user; null for a key or address without one.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'The prefix of the API key, of a caller without a user.' })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'The address, of a caller without user and key.' })
  ip?: string | null;

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

  @Field(() => [LiveSubjectType], {
    description:
      'Who spends most, the first 50 at most. Of each process and second, the first 1,000 different callers are looked at.',
  })
  subjects!: LiveSubjectType[];
}
