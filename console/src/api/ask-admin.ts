import type { TypedDocumentString } from '../generated/graphql.js';
import { AdminError, errorOfAnswer } from './admin-error.js';
import { here } from './here.js';
import { noteServerTime } from './server-clock.js';

type SessionLost = () => void;
let onSessionLost: SessionLost = () => {};

/** Sends a document to the administration, with the cookie of the session. Throws an AdminError. */
export async function askAdmin<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> {
  const response = await fetch(here.graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify({ query: document.toString(), variables }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new AdminError('UNREACHABLE', 'The platform does not answer', { cause });
  });
  noteServerTime(response);
  if (response.status === 401) onSessionLost();
  const answer: unknown = await response.json().catch(() => null);
  const error = errorOfAnswer(answer);
  if (error) throw error;
  const data = (answer as { data?: Result } | null)?.data;
  if (!data) throw new AdminError('UNREACHABLE', `The platform answered with status ${response.status} and no data`);
  return data;
}

/** The administration no longer knows who asks. */
export function sessionIsLost(): void {
  onSessionLost();
}

/** Says what is to happen once the administration no longer knows who asks. */
export function whenSessionIsLost(callback: SessionLost): void {
  onSessionLost = callback;
}
