import type { GraphQLRequestContextWillSendResponse, GraphQLResponse } from '@apollo/server';
import type { GraphQLError } from 'graphql';
import { type AnswerParts, costExtension, UNREGISTERED_NOTE } from '../protection/answer/cost-extension.js';
import { httpOfErrors, withoutHttp } from '../protection/answer/http-of-errors.js';
import { joinBatchHeader } from '../protection/answer/join-batch-headers.js';
import { setQuotaHeaders } from '../protection/answer/quota-headers.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';

type AnswerInParts = Extract<GraphQLResponse['body'], { kind: 'incremental' }>;

/**
 * Calls `done` when the last part of a response has been forwarded, or when the client stops
 * reading. It may call `done` twice. If the client disconnects before Apollo requests the second
 * part, only the signal `gone` reports this.
 */
export function whenAnswered(body: AnswerInParts, gone: AbortSignal | undefined, done: () => void): void {
  const parts = body.subsequentResults as AsyncIterable<never>;
  body.subsequentResults = (async function* () {
    try {
      yield* parts;
    } finally {
      done();
    }
  })();
  if (gone?.aborted) done();
  else gone?.addEventListener('abort', done, { once: true });
}

type Sending = GraphQLRequestContextWillSendResponse<object>;

/** Adds cost and quota to the response, and keeps its existing extensions. */
export function writeCost(context: Sending, parts: AnswerParts): void {
  const { body, http } = context.response;
  const result = body.kind === 'incremental' ? body.initialResult : body.singleResult;
  const cost = costExtension(parts);
  if (cost) result.extensions = result.extensions ? { ...result.extensions, cost } : { cost };
  if (parts.isUnregistered) result.extensions = { ...result.extensions, document: UNREGISTERED_NOTE };
  if (context.requestIsBatched) addQuotaHeaders(context, parts);
  else setQuotaHeaders(http.headers, parts);
}

/**
 * Longest `retry-after` among the operations of a batch, by the response headers that they share.
 * Apollo itself keeps only the value of the last error.
 */
const waits = createObjectNotes<Map<string, string>, string>();

function addQuotaHeaders({ response, errors }: Sending, parts: AnswerParts): void {
  const { headers } = response.http;
  const own = new Map<string, string>();
  setQuotaHeaders(own, parts);
  for (const [name, value] of own) headers.set(name, joinBatchHeader(name, headers.get(name), value));
  for (const error of errors ?? []) {
    const wait = httpOfErrors([error], { onlyMaps: true }).headers.get('retry-after');
    if (wait !== undefined) waits.set(headers, joinBatchHeader('retry-after', waits.get(headers), wait));
  }
  const longest = waits.get(headers);
  if (longest !== undefined) headers.set('retry-after', longest);
}

/** Replaces the response that Apollo has built, before it is sent, with that of another error. */
export function replaceErrors({ response }: Sending, error: GraphQLError): void {
  const { status, headers } = httpOfErrors([error]);
  response.body = { kind: 'single', singleResult: { errors: [withoutHttp(error)] } };
  if (status !== undefined) response.http.status = status;
  for (const [name, value] of headers) response.http.headers.set(name, value);
}
