import type { Answer } from '../protection/answer/answer-of.js';
import type { AnsweredRequest, Protect, ProtectRequest } from './protect.js';

/** Charges the fee of a request that a server has rejected. Resolves to the response to send. */
export async function answerRejected<Context extends object>(
  protect: Protect<Context>,
  request: ProtectRequest<Context> & { rejection: NonNullable<ProtectRequest['rejection']> },
): Promise<Answer> {
  // A rejected request is never admitted.
  return ((await protect(request)) as AnsweredRequest).answer;
}
