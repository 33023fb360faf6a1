import type { TypedDocumentString } from '../generated/graphql.js';
import { commonText } from '../text/common-text.js';
import { AdminError, errorOfAnswer } from './admin-error.js';
import { here } from './here.js';
import { noteServerTime } from './server-clock.js';

type SessionLost = () => void;
let onSessionLost: SessionLost = () => {};

/** Sends a document to the admin API, with the cookie of the session. @throws AdminError */
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
    throw new AdminError('UNREACHABLE', commonText.error.unreachable, { cause });
  });
  noteServerTime(response);
  if (response.status === 401) onSessionLost();
  const answer: unknown = await response.json().catch(() => null);
  const error = errorOfAnswer(answer);
  if (error) throw error;
  const data = (answer as { data?: Result } | null)?.data;
  if (!data) throw new AdminError('UNREACHABLE', commonText.error.noData(response.status));
  return data;
}

/** Reports that the admin API no longer accepts the session. */
export function sessionIsLost(): void {
  onSessionLost();
}

/** Sets the callback that runs when the admin API no longer accepts the session. */
export function whenSessionIsLost(callback: SessionLost): void {
  onSessionLost = callback;
}
