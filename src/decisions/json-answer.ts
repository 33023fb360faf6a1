import { JSON_TYPE } from '../http/answer-batch.js';
import type { Outgoing } from '../http/write-answer.js';

/** Returns a response with a value as JSON. */
export function jsonAnswer(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Outgoing {
  const all = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...headers };
  return { status, headers: Object.entries(all), body: JSON.stringify(value) };
}
