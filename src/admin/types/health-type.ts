import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { PoolHealth } from '../../limiter/fallback/engine-observer.js';
import { DateTimeScalar } from '../schema/json-scalar.js';

const BreakerStates = { CLOSED: 'CLOSED', OPEN: 'OPEN', HALF_OPEN: 'HALF_OPEN' } as const satisfies {
  [State in PoolHealth['state']]: State;
};

registerEnumType(BreakerStates, {
  name: 'BreakerState',
  description: 'Of the circuit breaker in front of a Redis.',
  valuesConfig: {
    CLOSED: { description: 'It answers, and decides.' },
    OPEN: { description: 'It does not answer: limits are decided without it.' },
    HALF_OPEN: { description: 'It is being tried again; limits are decided without it.' },
  },
});

@ObjectType('EngineHealth', { description: 'A Redis with counters, as the process that answers sees it.' })
class EngineHealthType {
  @Field(() => String, { description: 'The pool of counters that it has; `default` where there is one.' })
  pool!: string;

  @Field(() => BreakerStates, { description: 'Whether it decides.' })
  state!: PoolHealth['state'];

  @Field(() => DateTimeScalar, { description: 'Since when it is so.' })
  since!: Date;

  @Field(() => String, { nullable: true, description: 'What the last failure was; null: it answers.' })
  reason!: string | null;

  @Field(() => Int, {
    description:
      'How many processes share it, or did when it last answered: without it each decides on such a part of the limits.',
  })
  instances!: number;
}

@ObjectType('DatabaseHealth', { description: 'The PostgreSQL with tiers, rules and usage.' })
export class DatabaseHealthType {
  @Field(() => Float, { nullable: true, description: 'After how long it answered just now; null: it did not.' })
  answeredAfterMs!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Since when the process that answers could not use it; null: it can.',
  })
  awaySince!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it could not; null: it can.' })
  reason!: string | null;
}

@ObjectType('ProcessHealth', { description: 'The process that answers.' })
class ProcessHealthType {
  @Field(() => String, { description: 'The version of Tollgate.' })
  version!: string;

  @Field(() => String, { description: 'The version of Node.js.' })
  nodeVersion!: string;

  @Field(() => DateTimeScalar, { description: 'When it was started.' })
  startedAt!: Date;
}

@ObjectType('Health', { description: 'Whether the platform works as it should.' })
export class HealthType {
  @Field(() => Boolean, { description: 'There are no problems.' })
  ok!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'The number of the latest change that is stored; null: not known now.',
  })
  latestChange!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the latest change of a tier or rule that is in force in the process that answers; null: not known.',
  })
  rulesetVersion!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Where the rules in force were read: `postgres`, `redis` or `snapshot`, the file on disk; null: not known.',
  })
  rulesetSource!: string | null;

  @Field(() => [String], { description: 'What is wrong, in words: a rule in the tables that is not valid, an outage.' })
  problems!: string[];

  @Field(() => [EngineHealthType], {
    description: 'Each Redis with counters; empty: they are in the memory of the process that answers.',
  })
  engines!: EngineHealthType[];

  @Field(() => DatabaseHealthType, { description: 'The PostgreSQL with tiers, rules and usage.' })
  database!: DatabaseHealthType;

  @Field(() => ProcessHealthType, { description: 'The process that answers.' })
  process!: ProcessHealthType;
}
