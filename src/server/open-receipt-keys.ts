import { randomBytes } from 'node:crypto';
import type { Logger } from '../model/logger.js';
import type { Queryable } from '../postgres/db.js';
import { poll } from '../runtime/poll.js';

/** The keys that sign receipts. All instances on one database share a key. */
interface ReceiptKeys {
  /** Returns the key that signs, and others that are accepted. */
  all(): readonly Buffer[];
  close(): Promise<void>;
}

const RETRY_MS = 5_000;

/**
 * Reads the shared key, and creates it at the first start. While the database is unavailable, a key
 * of this process signs, whose receipts only this process accepts.
 */
export async function openReceiptKeys(db: Queryable, logger: Logger): Promise<ReceiptKeys> {
  let keys = [randomBytes(32)];
  let stop = async () => {};

  async function read(): Promise<boolean> {
    try {
      const made = randomBytes(32).toString('hex');
      await db.query('insert into receipt_keys (id, key) values (1, $1) on conflict (id) do nothing', [made]);
      const [found] = await db.query<{ key: string }>('select key from receipt_keys where id = 1');
      if (!found) return false;
      keys = [Buffer.from(found.key, 'hex'), ...keys];
      return true;
    } catch (error) {
      logger.error(
        { err: error },
        'The key of receipts cannot be read, so other instances cannot settle receipts of this one',
      );
      return false;
    }
  }

  if (!(await read())) {
    stop = poll(async () => {
      if (keys.length === 1 && (await read())) void stop();
    }, RETRY_MS);
  }
  return { all: () => keys, close: () => stop() };
}
