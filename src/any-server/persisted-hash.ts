import { ERRORS } from '../model/errors.js';
import type { Answer } from './answer-of.js';

/** Whether a request has the hash of a text where the text should be, as automatic persisted queries have it. */
export function hasHashAlone({ query, extensions }: { query?: unknown; extensions?: unknown }): boolean {
  if (query !== undefined && query !== null && query !== '') return false;
  return typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions;
}

/**
 * A request without a text was refused, and has paid the fee: says what it was about, on which clients with automatic persisted
 * queries send the text. Another refusal, such as of who cannot pay, stays as it is.
 */
export function withoutItsText(answer: Answer): Answer {
  return because(answer, 'PERSISTED_QUERY_NOT_SUPPORTED', ERRORS.PERSISTED_QUERY_NOT_SUPPORTED.message);
}

/** Gives another reason for the refusal of what was no request to the engine. */
export function because(
  answer: Answer,
  code: 'BAD_REQUEST' | 'PERSISTED_QUERY_NOT_SUPPORTED',
  message: string,
): Answer {
  if (answer.body.errors?.[0]?.extensions?.['code'] !== 'BAD_REQUEST') return answer;
  const errors = [{ message, extensions: { code } }];
  return { ...answer, status: ERRORS[code].status, body: { ...answer.body, errors } };
}
