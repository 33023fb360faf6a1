import { ArgsType, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTimeScalar } from '../schema/json-scalar.js';

const InstanceStates = { READY: 'READY', DEGRADED: 'DEGRADED' } as const;

registerEnumType(InstanceStates, {
  name: 'InstanceState',
  description: 'How a process is doing.',
  valuesConfig: {
    READY: { description: 'It works as it should.' },
    DEGRADED: { description: 'It decides without something that it needs: `problems` says without what.' },
  },
});

@ObjectType('Instance', {
  description:
    'A process that runs on this database, by its heartbeat every 5 seconds. One that ends takes itself off the list; one that is killed is off it after 15 seconds. A server without a PostgreSQL is not listed; `EngineHealth.instances` counts it where it shares a Redis.',
})
export class InstanceType {
  @Field(() => String, { description: 'Made up at its start.' })
  id!: string;

  @Field(() => Boolean, { description: 'It is the one that answers.' })
  isAnswering!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'What it protects, by the option `service`; null: it has no name.',
  })
  service!: string | null;

  @Field(() => String, { description: 'The version of Tollgate.' })
  version!: string;

  @Field(() => String, { description: 'The name of its machine or container.' })
  host!: string;

  @Field(() => Int, { description: 'The number of its process there.' })
  pid!: number;

  @Field(() => DateTimeScalar, { description: 'When it was started.' })
  startedAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When its last heartbeat came.' })
  lastSeenAt!: Date;

  @Field(() => Float, {
    description:
      'The part of each limit that it decides on while Redis is away: 0.25 of four; 1 where it shares its counters with no other.',
  })
  localShare!: number;

  @Field(() => InstanceStates, { description: 'How it was doing then.' })
  state!: keyof typeof InstanceStates;

  @Field(() => [String], { description: 'What was wrong, in words.' })
  problems!: readonly string[];
}

@ArgsType()
export class InstancesArgs {
  @Field(() => Int, { defaultValue: 100, description: 'How many at most: 1 to 100.' })
  first!: number;
}
