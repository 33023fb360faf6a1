import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { StreamKind, StreamTransport } from '../../model/open-stream.js';
import { ChangeInput, Payload } from '../schema/change-input.js';
import { connectionOf } from '../schema/connection.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';

const Kinds = { SUBSCRIPTION: 'SUBSCRIPTION', CONNECTION: 'CONNECTION' } as const satisfies {
  [Kind in StreamKind]: Kind;
};
registerEnumType(Kinds, {
  name: 'OpenStreamKind',
  description: 'Kinds of open streams.',
  valuesConfig: {
    SUBSCRIPTION: { description: 'A subscription.' },
    CONNECTION: { description: 'A WebSocket, with or without subscriptions.' },
  },
});

const Transports = {
  WEBSOCKET: 'WEBSOCKET',
  SERVER_SENT_EVENTS: 'SERVER_SENT_EVENTS',
  MULTIPART: 'MULTIPART',
} as const satisfies { [Transport in StreamTransport]: Transport };
registerEnumType(Transports, {
  name: 'StreamTransport',
  description: 'Transports of the events of a subscription.',
  valuesConfig: {
    WEBSOCKET: { description: 'A WebSocket with the protocol of graphql-ws.' },
    SERVER_SENT_EVENTS: { description: 'GraphQL over server-sent events.' },
    MULTIPART: { description: 'Multipart subscriptions of Apollo.' },
  },
});

@ObjectType('OpenStream', { description: 'An open subscription or WebSocket.' })
export class OpenStreamType {
  @Field(() => ID, { description: 'Random id, for `openStreamsEnd`.' })
  id!: string;

  @Field(() => Kinds, { description: 'Kind of the stream.' })
  kind!: StreamKind;

  @Field(() => CallerType, { description: 'The caller who opened it, with all known names.' })
  caller!: CallerType;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the operation; null for a WebSocket, and for an operation without a name.',
  })
  operation!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the client program.' })
  client!: string | null;

  @Field(() => Transports, { nullable: true, description: 'Transport; null if the server does not name it.' })
  transport!: StreamTransport | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the process that serves it, as in `instances`; null if the process is not in that list.',
  })
  instance!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time at which it was opened, by the clock of its process.' })
  since!: Date;

  @Field(() => SafeIntScalar, { description: 'Number of events that were sent; 0 for a WebSocket.' })
  events!: number;

  @Field(() => SafeIntScalar, { description: 'Tokens charged so far for its start and its events.' })
  cost!: number;
}

export const OpenStreamConnectionType = connectionOf('OpenStream', OpenStreamType, 'open streams');
Field(() => Int, {
  description: 'Number of all open streams that match, in the processes that reported.',
})(OpenStreamConnectionType.prototype, 'totalCount');
Field(() => Int, {
  description:
    'Number of processes that reported within half a second. Streams of other processes are neither listed nor counted.',
})(OpenStreamConnectionType.prototype, 'processes');

@InputType('OpenStreamFilter', { description: 'Conditions for open streams. A stream must meet all of them.' })
export class OpenStreamFilterInput {
  @Field(() => Kinds, { nullable: true, description: 'Kind of the streams. Default: both.' })
  kind?: StreamKind | null;

  @Field(() => String, {
    nullable: true,
    description: 'The id of a user. Without `tenant`, only a user without a tenant matches.',
  })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'The id of a tenant; with `user`, the tenant of that user.' })
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'The prefix of an API key, with or without a user.' })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'An address, of any caller.' })
  ip?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the operation of a subscription.' })
  operation?: string | null;
}

@InputType('OpenStreamsEndInput', {
  description:
    'The streams to end: one by its `id`, or those of a caller: `{user: "42"}`, `{apiKey: "tg_..."}` with the prefix, `{ip: "192.0.2.7"}`, or a tenant with all its users.',
})
export class OpenStreamsEndInput extends ChangeInput {
  @Field(() => ID, { nullable: true, description: 'The id of one stream. Omit all other conditions.' })
  id?: string | null;

  @Field(() => Kinds, { nullable: true, description: 'Kind of the streams. Default: both.' })
  kind?: StreamKind | null;

  @Field(() => String, {
    nullable: true,
    description: 'The id of a user. With `tenant`, the user of that tenant.',
  })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'The id of a tenant; with `user`, the tenant of that user.' })
  tenant?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The prefix of an API key, with or without a user. Omit `user` and `tenant`.',
  })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'An address, of any caller.' })
  ip?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the operation of a subscription. Default: all.' })
  operation?: string | null;
}

@ObjectType('OpenStreamsEndPayload', { description: 'Result of ending open streams.' })
export class OpenStreamsEndPayload extends Payload {
  @Field(() => Int, {
    nullable: true,
    description:
      'Number of matching streams in the processes that reported. Other processes end theirs too. With `dryRun`, no stream is ended. Null with user errors.',
  })
  ended!: number | null;
}
