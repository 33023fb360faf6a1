import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { Outgoing } from '../http/write-answer.js';
import type { Answer } from '../protection/answer/answer-of.js';

/** Maximum size of a request that may contain the data of a response, in bytes. */
export const MAX_RESPONSE_BYTES = 8 * 2 ** 20;

/** A request for one path of the decision service, with its body. */
export interface RouteRequest {
  readonly request: IncomingMessage;
  /** Path and query string. */
  readonly url: string;
  readonly path: string;
  /** Name of the token; undefined for a path that needs no token. */
  readonly token: string | undefined;
  /** Parsed body; undefined if the request has none. */
  readonly body: unknown;
  /** Text of the body, from which it was parsed. */
  readonly text: string;
  /** Size of the body in bytes. */
  readonly bytes: number;
}

/** One path of the decision service. */
export interface DecisionRoute {
  readonly path: string;
  /** Whether the route also serves all paths below its path. @default false */
  readonly isPrefix?: boolean;
  readonly methods: readonly string[];
  readonly maxBodyBytes: number;
  /** Whether the route needs no token. @default false */
  readonly isPublic?: boolean;
  handle(asked: RouteRequest): Promise<Outgoing>;
  /**
   * Rejects a request whose body cannot be read, and charges the fee to the caller who sent it.
   * @default the error is sent without a fee
   */
  rejectBody?(asked: Pick<RouteRequest, 'request' | 'token'>, error: GraphQLError): Promise<Outgoing>;
  /**
   * Returns the response to a request that failed, in the form of the protocol.
   * @param body parsed body; undefined if it was not read
   * @default the answer, with its status
   */
  onFailure?(answer: Answer, asked: { path: string; body: unknown }): Outgoing;
}
