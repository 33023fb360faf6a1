import type { Actor } from '../rules/store-changes.js';

/** What every operation of the admin API knows about its caller. */
export interface AdminContext {
  actor: Actor;
}
