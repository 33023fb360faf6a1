import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { RequestHeaders } from '../any-server/request-headers.js';
import type { Socket } from '../graphql-ws/socket-connection.js';

/**
 * The parts of Fastify and Mercurius that the adapter uses. The types of these packages are not
 * used, so that a program without the packages compiles.
 */
export interface FastifyRequest {
  method: string;
  body: unknown;
  query: unknown;
  headers: RequestHeaders;
  routeOptions: { url?: string | undefined };
  raw: unknown;
  /** Whether the request is the handshake of a WebSocket. */
  ws?: boolean;
  /** App with the route of the request. It has a server of WebSockets if a plugin has added one. */
  server: {
    websocketServer?: {
      on(event: 'connection', listener: (webSocket: WebSocketOfFastify, raw: object) => void): unknown;
    };
  };
}

/** A WebSocket of the package `ws`. */
export interface WebSocketOfFastify extends Socket {
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
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
  /** Prefix of the Fastify plugin in which this app is used. */
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
    /** Present if Mercurius serves WebSockets. */
    pubsub?: unknown;
    addHook(
      name: 'preExecution',
      hook: (
        schema: GraphQLSchema,
        document: unknown,
        context: object,
      ) => Promise<{ document: DocumentNode } | undefined>,
    ): unknown;
    addHook(
      name: 'preSubscriptionExecution',
      hook: (schema: GraphQLSchema, document: DocumentNode, context: object, id: unknown) => Promise<void>,
    ): unknown;
    addHook(
      name: 'onSubscriptionResolution',
      hook: (execution: ExecutionResult, context: object) => Promise<void>,
    ): unknown;
    addHook(name: 'onResolution', hook: (execution: ExecutionResult, context: object) => Promise<void>): unknown;
  };
}
