import { z } from 'zod';
import { matchesStream, type OpenStream, STREAM_KINDS, STREAM_TRANSPORTS } from '../../model/open-stream.js';

/** Maximum number of open streams that a process reports for one request. */
const MAX_STREAMS = 101;

/** Maximum number of requests that one report answers. */
const MAX_STREAM_REQUESTS = 16;

const name = z.string().max(1000).optional();
const time = z.number().min(0);
const position = z.object({ sinceMs: time, id: z.string().max(64) });
const request = z.object({
  /** Random id of the request. */
  request: z.string().max(64),
  filter: z.object({
    id: name,
    kind: z.enum(STREAM_KINDS).optional(),
    user: name,
    tenant: name,
    apiKey: name,
    ip: name,
    operation: name,
  }),
  /** Position of the last stream of the previous page. */
  after: position.optional(),
  limit: z.number().int().min(1).max(MAX_STREAMS),
});

const stream = position.extend({
  kind: z.enum(STREAM_KINDS),
  user: name,
  tenant: name,
  apiKey: name,
  ip: name,
  operation: name,
  client: name,
  transport: z.enum(STREAM_TRANSPORTS).optional(),
  /** Id of the process in the list of instances. Undefined if it is not in the list. */
  instance: z.string().max(64).optional(),
  events: z.number().min(0),
  cost: z.number().min(0),
});
/** The schema of the answers of one process. */
export const streamPages = z
  .array(z.object({ request: z.string().max(64), count: time, streams: z.array(stream).max(MAX_STREAMS) }))
  .max(MAX_STREAM_REQUESTS);

/** A request for open subscriptions and WebSockets, oldest first. */
export type StreamRequest = z.infer<typeof request>;
/** An open subscription or WebSocket of any process. */
export type ReportedStream = z.infer<typeof stream>;
/** The answer of one process. `count` is the number of all streams of the process that match. */
export type StreamPage = z.infer<typeof streamPages>[number];

/** Reads a request of another process. Returns undefined if it is invalid. */
export function readStreamRequest(json: string): StreamRequest | undefined {
  try {
    return request.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** Returns the first streams of a process that match a request, and the number of all that match. */
function streamPageOf(
  { request: id, filter, after, limit }: StreamRequest,
  streams: readonly OpenStream[],
  instance: string | undefined,
): StreamPage {
  const matching = streams.filter((one) => matchesStream(filter, one));
  const following = after ? matching.filter((one) => inOrder(after, one) < 0) : matching;
  const page = following.sort(inOrder).slice(0, limit);
  return { request: id, count: matching.length, streams: page.map((one) => reported(one, instance)) };
}

/** The answers of this process to the requests of others. */
interface StreamAnswers {
  /** Answers a request with the next report. */
  ask(request: StreamRequest): void;
  /** Returns the part of the next report. */
  take(): { streams?: StreamPage[] };
  pageOf(request: StreamRequest): StreamPage;
}

interface StreamAnswersOptions {
  /** Returns the open subscriptions and WebSockets of this process. @default none */
  streams?: (() => readonly OpenStream[]) | undefined;
  /** Returns the id of this process in the list of instances. @default it is not in the list */
  instance?: (() => string | undefined) | undefined;
}

export function createStreamAnswers({
  streams = () => [],
  instance = () => undefined,
}: StreamAnswersOptions): StreamAnswers {
  let waiting: StreamRequest[] = [];
  const pageOf = (request: StreamRequest) => streamPageOf(request, streams(), instance());
  return {
    ask(request) {
      // This process does not answer further requests. Their results do not count this process.
      if (waiting.length < MAX_STREAM_REQUESTS) waiting.push(request);
    },
    take() {
      const asked = waiting;
      waiting = [];
      return asked.length === 0 ? {} : { streams: asked.map(pageOf) };
    },
    pageOf,
  };
}

/** Merges the pages of the processes into the page of all, and adds up their counts. */
export function sumOfStreamPages(
  pages: readonly StreamPage[],
  limit: number,
): { count: number; streams: ReportedStream[] } {
  const streams = pages.flatMap((page) => page.streams).sort(inOrder);
  return { count: pages.reduce((sum, page) => sum + page.count, 0), streams: streams.slice(0, limit) };
}

interface Position {
  readonly sinceMs: number;
  readonly id: string;
}

function inOrder(a: Position, b: Position): number {
  return a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function reported(
  { id, sinceMs, kind, user, tenant, apiKey, ip, operation, client, transport, events, cost }: OpenStream,
  instance: string | undefined,
): ReportedStream {
  return { id, sinceMs, kind, user, tenant, apiKey, ip, operation, client, transport, instance, events, cost };
}
