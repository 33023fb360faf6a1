import { AdminError, errorOfAnswer } from '../../api/admin-error.js';
import { here } from '../../api/here.js';
import { noteServerTime } from '../../api/server-clock.js';
import type { AdminRole } from '../../generated/graphql.js';
import { commonText } from '../../text/common-text.js';

/** The current session, as returned by `GET /console/session`. */
export interface Session {
  name: string;
  role: AdminRole;
  /** Whether the server rejects all changes, whatever the role. */
  readOnly: boolean;
  expiresAt: string | null;
  /** Whether the platform serves the sample API with simulated traffic. */
  demo: boolean;
  /** Version of the server. */
  version: string;
}

/** A credential for the login: an admin token, or the one-time code of a login link. */
export type Proof = { token: string } | { code: string };

/** Returns the current session. Undefined before the login. */
export async function readSession(): Promise<Session | undefined> {
  const response = await ask('GET');
  noteServerTime(response);
  if (response.status === 401) return undefined;
  if (!response.ok) throw await refusal(response);
  return (await response.json()) as Session;
}

/** Logs in. @throws AdminError with the reason */
export async function logIn(proof: Proof): Promise<void> {
  const response = await ask('POST', proof);
  if (!response.ok) throw await refusal(response);
}

export async function logOut(): Promise<void> {
  const response = await ask('DELETE', {});
  if (!response.ok && response.status !== 401) throw await refusal(response);
}

async function ask(method: string, body?: object): Promise<Response> {
  try {
    return await fetch(here.session, {
      method,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new AdminError('UNREACHABLE', commonText.error.unreachable, { cause });
  }
}

async function refusal(response: Response): Promise<AdminError> {
  const answer: unknown = await response.json().catch(() => null);
  return errorOfAnswer(answer) ?? new AdminError('UNREACHABLE', commonText.error.status(response.status));
}
