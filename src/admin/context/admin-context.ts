import type { AdminRole } from '../../rules/store/create-admin-token-store.js';
import type { Actor } from '../../rules/store/create-change-log.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import type { RulesInCode } from '../types/rules-in-code.js';
import type { TiersInCode } from '../types/tiers-in-code.js';
import { type AdminLoaders, createAdminLoaders, type KeyedUsage } from './admin-loaders.js';

/** An authenticated administrator and their role. */
export interface AdminCaller {
  actor: Actor;
  role: AdminRole;
  /** Whether the caller used the token of the settings. @default false */
  isFromSettings?: boolean;
  /**
   * Id of the stored token that authenticated the caller. @default none: the caller used no stored
   * token
   */
  tokenId?: number;
}

/**
 * Context of an operation of the admin API: its caller, and the objects that the request has
 * already loaded.
 */
export interface AdminContext extends AdminCaller {
  loaders: AdminLoaders;
  /**
   * Whether the record of changes already has an entry about the denials of this request.
   * @default false
   */
  hasDenialOnRecord?: boolean;
  /** Set by the HTTP layer. Records whether the request has already been charged. */
  payment?: { isPaid: boolean };
}

/** Creates the context value of one request of the admin API. */
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
