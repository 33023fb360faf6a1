import { createContext, useContext } from 'react';
import type { AdminRole } from '../../generated/graphql.js';
import type { Session } from './session.js';

const ROLES: readonly AdminRole[] = ['VIEWER', 'OPERATOR', 'ADMIN'];

export interface SessionInUse extends Session {
  /** Ends the session. @throws AdminError that says why the session has not ended */
  logOut(): Promise<void>;
}

export const SessionContext = createContext<SessionInUse | undefined>(undefined);

/** Who has logged in: on every page but the one to log in. */
export function useSession(): SessionInUse {
  const session = useContext(SessionContext);
  if (!session) throw new Error('nobody has logged in');
  return session;
}

/** Says which changes would not be refused to this role on this mount; the server decides. */
export function useMay(): (required: AdminRole) => boolean {
  const { role, readOnly } = useSession();
  return (required) => !readOnly && mayDo(role, required);
}

export function mayDo(role: AdminRole, required: AdminRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}
