import type { TypedDocumentString } from '../generated/graphql.js';
import { commonText } from '../text/common-text.js';
import { AdminError, errorOfAnswer } from './admin-error.js';
import { here } from './here.js';
import { noteServerTime } from './server-clock.js';

type SessionLost = () => void;
let onSessionLost: SessionLost = () => {};

/** A response of the admin API. */
export interface AdminAnswer {
  status: number;
  /** Parsed body. Null if it is not JSON. */
  body: unknown;
}

/** Sends a document to the admin API, with the cookie of the session. @throws AdminError */
export async function askAdmin<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> {
  const { status, body } = await postToAdmin({ query: document.toString(), variables }, signal);
  const error = errorOfAnswer(body);
  if (error) throw error;
  const data = (body as { data?: Result } | null)?.data;
  if (!data) throw new AdminError('UNREACHABLE', commonText.error.noData(status));
  return data;
}

/**
 * Sends an operation to the admin API, with the cookie of the session. Resolves to any response,
 * with errors or without.
 * @throws AdminError if there is no response
 */
export async function postToAdmin(
  operation: { query: string; variables: unknown; operationName?: string | undefined },
  signal?: AbortSignal,
): Promise<AdminAnswer> {
  const response = await fetch(here.graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(operation),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new AdminError('UNREACHABLE', commonText.error.unreachable, { cause });
  });
  noteServerTime(response);
  if (response.status === 401) onSessionLost();
  return { status: response.status, body: await response.json().catch(() => null) };
}

/** Reports that the admin API no longer accepts the session. */
export function sessionIsLost(): void {
  onSessionLost();
}

/** Sets the callback that runs when the admin API no longer accepts the session. */
export function whenSessionIsLost(callback: SessionLost): void {
  onSessionLost = callback;
}
