import { AdminError, errorOfAnswer } from '../../api/admin-error.js';
import { here } from '../../api/here.js';
import { noteServerTime } from '../../api/server-clock.js';
import type { AdminRole } from '../../generated/graphql.js';

/** Who has logged in, as `GET /console/session` says. */
export interface Session {
  name: string;
  role: AdminRole;
  /** Nothing can be changed here, whatever the role. */
  readOnly: boolean;
  expiresAt: string | null;
  /** The sample API is served, with made-up traffic. */
  demo: boolean;
  /** The version of the server. */
  version: string;
}

/** What one logs in with: a token of an administrator, or the code of a link. */
export type Proof = { token: string } | { code: string };

/** Who has logged in; undefined before that. */
export async function readSession(): Promise<Session | undefined> {
  const response = await ask('GET');
  noteServerTime(response);
  if (response.status === 401) return undefined;
  if (!response.ok) throw await refusal(response);
  return (await response.json()) as Session;
}

/** Throws an AdminError that says why not. */
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
    throw new AdminError('UNREACHABLE', 'The platform does not answer', { cause });
  }
}

async function refusal(response: Response): Promise<AdminError> {
  const answer: unknown = await response.json().catch(() => null);
  return errorOfAnswer(answer) ?? new AdminError('UNREACHABLE', `The platform answered with status ${response.status}`);
}
