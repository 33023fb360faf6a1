import { createContext, useContext } from 'react';
import type { AdminRole } from '../../generated/graphql.js';
import type { Session } from './session.js';

const ROLES: readonly AdminRole[] = ['DECIDER', 'VIEWER', 'OPERATOR', 'ADMIN'];

export interface SessionInUse extends Session {
  /** Ends the session. @throws AdminError with the reason why the session has not ended */
  logOut(): Promise<void>;
}

export const SessionContext = createContext<SessionInUse | undefined>(undefined);

/** Returns the current session. It exists on every page except the login page. */
export function useSession(): SessionInUse {
  const session = useContext(SessionContext);
  if (!session) throw new Error('no session: useSession was called outside of the shell');
  return session;
}

/**
 * Returns a function that returns whether the user may make a change. The user needs the required
 * role, and the console must not be read-only. The server makes the final decision.
 */
export function useMay(): (required: AdminRole) => boolean {
  const { role, readOnly } = useSession();
  return (required) => !readOnly && mayDo(role, required);
}

export function mayDo(role: AdminRole, required: AdminRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}
