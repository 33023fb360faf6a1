import { ArgsType, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTimeScalar } from '../schema/json-scalar.js';

const InstanceStates = { READY: 'READY', DEGRADED: 'DEGRADED' } as const;

registerEnumType(InstanceStates, {
  name: 'InstanceState',
  description: 'Health of a process.',
  valuesConfig: {
    READY: { description: 'The process has no problems.' },
    DEGRADED: {
      description: 'The process runs without a part that it needs, such as Redis. `problems` has the reasons.',
    },
  },
});

@ObjectType('Instance', {
  description:
    'A process that uses this database and writes a heartbeat every 5 seconds. A process leaves the list when it ends, or 15 seconds after it is killed. A server without PostgreSQL is not listed. `EngineHealth.instances` includes it if it shares a Redis.',
})
export class InstanceType {
  @Field(() => String, { description: 'Random id, created when the process starts.' })
  id!: string;

  @Field(() => Boolean, { description: 'Whether this is the process that handles the request.' })
  isAnswering!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the API that the process protects, from the option `service`; null if the API has no name.',
  })
  service!: string | null;

  @Field(() => String, { description: 'The version of Tollgate.' })
  version!: string;

  @Field(() => String, { description: 'Host name of the machine or container.' })
  host!: string;

  @Field(() => Int, { description: 'Process id on that host.' })
  pid!: number;

  @Field(() => DateTimeScalar, { description: 'Time at which the process started.' })
  startedAt!: Date;

  @Field(() => DateTimeScalar, { description: 'Time of the last heartbeat.' })
  lastSeenAt!: Date;

  @Field(() => Float, {
    description:
      'Part of each limit that the process enforces while Redis is unavailable: 0.25 with four processes; 1 if no other process shares the counters.',
  })
  localShare!: number;

  @Field(() => InstanceStates, { description: 'Health at the last heartbeat.' })
  state!: keyof typeof InstanceStates;

  @Field(() => [String], { description: 'Descriptions of all problems at the last heartbeat.' })
  problems!: readonly string[];
}

@ArgsType()
export class InstancesArgs {
  @Field(() => Int, { defaultValue: 100, description: 'Maximum number of elements: 1 to 100.' })
  first!: number;
}
