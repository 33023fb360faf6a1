import type { AdminRole } from '../../rules/store/create-admin-token-store.js';
import type { Actor } from '../../rules/store/create-change-log.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import type { RulesInCode } from '../types/rules-in-code.js';
import type { TiersInCode } from '../types/tiers-in-code.js';
import { type AdminLoaders, createAdminLoaders, type KeyedUsage } from './admin-loaders.js';

/** Who asks, and what they may do. */
export interface AdminCaller {
  actor: Actor;
  role: AdminRole;
  /** With the token of the settings. @default false */
  isFromSettings?: boolean;
  /** The stored token that it was proved with. @default none: it was another proof */
  tokenId?: number;
}

/** What every operation of the admin API knows: its caller, and what one request has looked up already. */
export interface AdminContext extends AdminCaller {
  loaders: AdminLoaders;
  /** Whether the request has its entry in the record of changes, of what it was denied. @default false */
  hasDenialOnRecord?: boolean;
  /** Set by the HTTP layer: whether the answer says what the request has paid. */
  payment?: { isPaid: boolean };
}

/** What one request of the admin API needs as its context value. */
export function createAdminContext(
  caller: AdminCaller,
  {
    store,
    usage,
    inCode,
    tiersInCode,
  }: {
    store: RulesStore;
    usage: KeyedUsage;
    inCode?: RulesInCode | undefined;
    tiersInCode?: (() => Promise<readonly TiersInCode[]>) | undefined;
  },
): AdminContext {
  return { ...caller, loaders: createAdminLoaders(store, usage, inCode, tiersInCode) };
}
