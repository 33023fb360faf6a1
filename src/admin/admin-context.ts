import type { AdminRole } from '../rules/store/admin-tokens.js';
import type { Actor } from '../rules/store/changes.js';
import type { UsageReader } from '../usage/query/usage-reader.js';
import type { AdminLoaders } from './admin-loaders.js';

/** Who asks, and what he may do. */
export interface AdminCaller {
  actor: Actor;
  role: AdminRole;
}

/** What every operation of the admin API knows: its caller, and what one request has looked up already. */
export interface AdminContext extends AdminCaller {
  loaders: AdminLoaders;
  /** Knows how finely usage of a range is there. */
  usage: Pick<UsageReader, 'levelOf'>;
}
