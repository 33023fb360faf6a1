import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { RequestHeaders } from '../any-server/request-headers.js';

/**
 * What of Fastify and Mercurius is used. Types of our own, so that a program without them needs no types of them to be
 * compiled.
 */
export interface FastifyRequest {
  method: string;
  body: unknown;
  query: unknown;
  headers: RequestHeaders;
  routeOptions: { url?: string | undefined };
  raw: unknown;
  /** The handshake of a WebSocket. */
  ws?: boolean;
}

export interface FastifyReply {
  code(status: number): FastifyReply;
  headers(headers: Record<string, string>): FastifyReply;
  send(body: unknown): unknown;
  statusCode: number;
  raw: { once(event: 'close', listener: () => void): unknown; writableFinished: boolean };
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export interface FastifyApp {
  /** Of the plugin that it is registered in. */
  prefix: string;
  hasRoute(route: { url: string; method: string }): boolean;
  addHook(name: 'preHandler' | 'onError', hook: Hook): unknown;
  addHook(name: 'onReady', hook: () => Promise<void>): unknown;
  addHook(
    name: 'preSerialization',
    hook: (
      request: FastifyRequest,
      reply: FastifyReply,
      payload: unknown,
      done: (error: null, payload: unknown) => void,
    ) => void,
  ): unknown;
  graphql: {
    addHook(
      name: 'preExecution',
      hook: (
        schema: GraphQLSchema,
        document: unknown,
        context: object,
      ) => Promise<{ document: DocumentNode } | undefined>,
    ): unknown;
    addHook(name: 'onResolution', hook: (execution: ExecutionResult, context: object) => Promise<void>): unknown;
  };
}
