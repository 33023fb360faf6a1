import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { PoolHealth } from '../../limiter/fallback/engine-observer.js';
import { DateTimeScalar } from '../schema/json-scalar.js';

const BreakerStates = { CLOSED: 'CLOSED', OPEN: 'OPEN', HALF_OPEN: 'HALF_OPEN' } as const satisfies {
  [State in PoolHealth['state']]: State;
};

registerEnumType(BreakerStates, {
  name: 'BreakerState',
  description: 'State of the circuit breaker of a Redis.',
  valuesConfig: {
    CLOSED: { description: 'Redis answers and decides.' },
    OPEN: { description: 'Redis does not answer. Limits are decided without Redis.' },
    HALF_OPEN: { description: 'Tollgate tests whether Redis answers again. Limits are decided without Redis.' },
  },
});

@ObjectType('EngineHealth', { description: 'A Redis with counters, as seen by the process that handles the request.' })
class EngineHealthType {
  @Field(() => String, {
    description: 'Name of the pool whose counters this Redis has; `default` for all counters outside of named pools.',
  })
  pool!: string;

  @Field(() => BreakerStates, { description: 'State of the circuit breaker: whether this Redis decides.' })
  state!: PoolHealth['state'];

  @Field(() => DateTimeScalar, { description: 'Time at which this state began.' })
  since!: Date;

  @Field(() => String, { nullable: true, description: 'The last failure; null while this Redis responds.' })
  reason!: string | null;

  @Field(() => Int, {
    description:
      'Number of processes that share this Redis, as of its last response. While it is unavailable, each process enforces 1/`instances` of the limits.',
  })
  instances!: number;
}

@ObjectType('DatabaseHealth', { description: 'The PostgreSQL database with tiers, rules and usage.' })
export class DatabaseHealthType {
  @Field(() => Float, {
    nullable: true,
    description: 'Milliseconds until PostgreSQL answered a test query just now; null if it did not answer.',
  })
  answeredAfterMs!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time since which the process that handles the request cannot use PostgreSQL; null while it can.',
  })
  awaySince!: Date | null;

  @Field(() => String, { nullable: true, description: 'Reason why PostgreSQL cannot be used; null while it can.' })
  reason!: string | null;
}

@ObjectType('ProcessHealth', { description: 'The process that handles the request.' })
class ProcessHealthType {
  @Field(() => String, { description: 'The version of Tollgate.' })
  version!: string;

  @Field(() => String, { description: 'The version of Node.js.' })
  nodeVersion!: string;

  @Field(() => DateTimeScalar, { description: 'Time at which the process started.' })
  startedAt!: Date;
}

@ObjectType('Health', { description: 'Health of the platform.' })
export class HealthType {
  @Field(() => Boolean, { description: 'Whether there are no problems.' })
  ok!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of the latest entry in the record of changes; null if unknown.',
  })
  latestChange!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the latest change of a tier or rule that is in force in the process that handles the request; null if unknown.',
  })
  rulesetVersion!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Source of the rules in force: `postgres`, `redis`, or `snapshot` for the file on disk; null if unknown.',
  })
  rulesetSource!: string | null;

  @Field(() => [String], { description: 'Descriptions of all problems, such as an invalid stored rule or an outage.' })
  problems!: string[];

  @Field(() => [EngineHealthType], {
    description: 'Each Redis with counters; empty if the process that handles the request has its counters in memory.',
  })
  engines!: EngineHealthType[];

  @Field(() => DatabaseHealthType, { description: 'The PostgreSQL database with tiers, rules and usage.' })
  database!: DatabaseHealthType;

  @Field(() => ProcessHealthType, { description: 'The process that handles the request.' })
  process!: ProcessHealthType;
}
