import type { ExecutionResult } from 'graphql';
import type { Answer } from '../protection/answer/answer-of.js';
import type { AdmittedRequest } from './admitted-request.js';

/**
 * Ends an operation whose result is incremental or whose result is the events of a subscription.
 * Concurrency slots are freed after the last part or event. Returns these parts or events, and the
 * response headers to send.
 */
export function settledWhenOver(request: AdmittedRequest, result: AsyncIterable<ExecutionResult>) {
  if (request.isSubscription) return { parts: request.events(result), answer: request.finish({}) };
  const answer: Answer = { status: 200, headers: request.quotaHeaders(), body: {} };
  return { parts: request.parts(result) as AsyncIterableIterator<ExecutionResult>, answer: Promise.resolve(answer) };
}
