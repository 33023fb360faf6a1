import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { ReportedStream } from '../../observability/live/stream-page.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { createStreamsEnd } from '../context/create-streams-end.js';
import { presentCaller } from '../context/present-caller.js';
import { toFilter, toPayload } from '../schema/change-input.js';
import { type Connection, type Page, PageArgs, toConnection, toPage } from '../schema/connection.js';
import { badQuery } from '../schema/to-client-error.js';
import {
  OpenStreamConnectionType,
  OpenStreamFilterInput,
  OpenStreamsEndInput,
  OpenStreamsEndPayload,
  type OpenStreamType,
} from '../types/open-stream-type.js';

interface OpenStreamPage extends Omit<Connection<OpenStreamType>, 'totalCount'> {
  totalCount: number;
  processes: number;
}

@Resolver()
export class OpenStreamResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => OpenStreamConnectionType, {
    description:
      'The open subscriptions and WebSockets of all processes that share a Redis, oldest first: `openStreams(filter: { user: "42" }) { totalCount nodes { operation since events cost } }`.',
  })
  async openStreams(
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => OpenStreamFilterInput, {
      nullable: true,
      description: 'Conditions for the elements to list. Default: all.',
    })
    filter: OpenStreamFilterInput | undefined,
  ): Promise<OpenStreamPage> {
    const page = toPage(args);
    const after = positionOf(page);
    const { count, processes, streams } = await this.read()({
      filter: toFilter(filter),
      limit: page.limit,
      ...(after && { after }),
    });
    const connection = toConnection(page, streams, ({ sinceMs, id }) => `${sinceMs},${id}`, presentStream);
    return { ...connection, totalCount: count, processes };
  }

  @Requires('OPERATOR')
  @Mutation(() => OpenStreamsEndPayload, {
    nullable: true,
    description:
      'Ends an open subscription or WebSocket, or all of a caller, in all processes that use the database. Clients get the error `ENDED_BY_ADMINISTRATOR`. The caller is not blocked: new streams are admitted. To prevent this, disable the caller first.',
  })
  async openStreamsEnd(
    @Arg('input', () => OpenStreamsEndInput, { description: 'The streams to end.' }) input: OpenStreamsEndInput,
    @Ctx() context: AdminContext,
  ) {
    const end = createStreamsEnd({ store: this.sources.store, openStreams: this.read() });
    return toPayload(await end(input, context), { ended: ({ ended }) => ended });
  }

  private read() {
    const { openStreams } = this.sources;
    if (!openStreams) throw badQuery('openStreams: this process cannot list open streams');
    return openStreams;
  }
}

function presentStream({ sinceMs, operation, client, transport, instance, ...stream }: ReportedStream): OpenStreamType {
  const { id, kind, events, cost } = stream;
  return {
    ...{ id, kind, events, cost },
    caller: presentCaller(stream),
    operation: operation ?? null,
    client: client ?? null,
    transport: transport ?? null,
    instance: instance ?? null,
    since: new Date(sinceMs),
  };
}

/** @throws GraphQLError for the cursor of another list */
function positionOf({ after }: Page): { sinceMs: number; id: string } | undefined {
  if (after === undefined) return undefined;
  const [, sinceMs, id] = /^(\d{1,15}),([\w.-]{1,64})$/.exec(after) ?? [];
  if (id === undefined) throw badQuery('after: expected the endCursor of a page of this list');
  return { sinceMs: Number(sinceMs), id };
}
