import type { ChangedEntity } from '../../rules/store/create-change-log.js';
import { type Connection, numberAfter, type PageArgs, toConnection, toPage } from '../schema/connection.js';
import type { AdminLoaders } from './admin-loaders.js';
import { presentChange } from './present-change.js';

/**
 * Returns a page of the changes of one object, newest first. The histories of a list of objects
 * share one statement.
 */
export async function historyPage(
  loaders: Pick<AdminLoaders, 'history'>,
  entity: ChangedEntity,
  key: string,
  args: PageArgs,
): Promise<Connection<ReturnType<typeof presentChange>>> {
  const page = toPage(args);
  const before = numberAfter(page, Number.MAX_SAFE_INTEGER);
  const rows = await loaders.history.load({ entity, key, before, limit: page.limit });
  return toConnection(page, rows, ({ number }) => number, presentChange);
}
