import type { GraphQLFormattedError } from 'graphql';
import { isObject } from '../../runtime/is-object.js';
import { findInexactNumbers } from '../upstream/exact-numbers.js';
import { toResult } from '../upstream/read-answer.js';
import type { SocketResult } from './create-result-queue.js';

/** Errors with which the API ended an operation. */
export class UpstreamErrors extends Error {
  /** @param json list of errors as the API wrote it */
  constructor(
    readonly errors: readonly GraphQLFormattedError[],
    readonly json: string,
  ) {
    super('The API ended the operation with errors');
    this.name = 'UpstreamErrors';
  }
}

type UpstreamMessage =
  | { readonly type: 'connection_ack' | 'ping' | 'pong' }
  | { readonly type: 'next'; readonly id: string; readonly result: SocketResult }
  | { readonly type: 'error'; readonly id: string; readonly errors: UpstreamErrors }
  | { readonly type: 'complete'; readonly id: string }
  | { readonly type: 'invalid'; readonly why: string };

/** Reads a message of the API. @throws SyntaxError if it is not JSON */
export function readUpstreamMessage(text: string): UpstreamMessage {
  const exact = findInexactNumbers(text);
  const message: unknown = JSON.parse(exact?.text ?? text);
  if (!isObject(message)) return { type: 'invalid', why: 'a message is not an object' };
  const { type, payload } = message;
  const id = String(message['id']);
  switch (type) {
    case 'connection_ack':
    case 'ping':
    case 'pong':
      return { type };
    case 'complete':
      return { type, id };
    case 'next': {
      // Further parts of an incremental result have no data.
      const result = isObject(payload) && 'hasNext' in payload ? payload : toResult(payload);
      if (result === undefined) return { type: 'invalid', why: 'a result has neither data nor errors' };
      const bytes = Buffer.byteLength(text);
      return { type, id, result: { result: result as SocketResult['result'], exact, bytes } };
    }
    case 'error': {
      const errors = toResult({ errors: payload })?.errors;
      if (errors === undefined) return { type: 'invalid', why: 'an error has no list of errors' };
      const json = JSON.stringify(payload);
      return { type, id, errors: new UpstreamErrors(errors, exact ? exact.restore(json) : json) };
    }
    default:
      return { type: 'invalid', why: 'a message has an unknown type' };
  }
}
