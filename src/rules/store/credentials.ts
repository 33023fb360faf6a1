import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Queryable, Tx } from '../../postgres/db.js';
import { wholeNumber } from '../policy/validators.js';

/** What API keys and tokens of administrators have in common. */
interface Credential {
  id: number;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

interface CredentialTable {
  name: 'admin_tokens' | 'api_keys';
  /** Of a select, as the records name them. */
  columns: string;
}

/** The longest that a credential is good after another one has taken its place. */
const MAX_OVERLAP_MS = 90 * 86_400_000;

/** How long a credential is good after another one has taken its place. @default 0 */
export const overlapOption = wholeNumber(0, MAX_OVERLAP_MS).optional();

export const expiresAtOption = z.date({ error: 'expected a date' }).optional();

/** Returns a secret of 256 random bits, or of as many bytes as are named. */
export function randomSecret(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url');
}

/** Returns how long a credential is still good once another one has taken its place, for people. */
export function describeOverlap(credential: string, overlapMs: number): string {
  return `the old ${credential} ${overlapMs === 0 ? 'is not good any more' : `is good for ${overlapMs} ms more`}`;
}

/** Reads and ends the credentials of a table. */
export class Credentials<Row extends Credential> {
  readonly #table: CredentialTable;

  constructor(table: CredentialTable) {
    this.#table = table;
  }

  /** Returns the credentials with these ids, in no order. */
  read(on: Queryable, ids: readonly number[]): Promise<Row[]> {
    const { name, columns } = this.#table;
    return on.query<Row>(`select ${columns} from ${name} where id = any($1::bigint[])`, [ids]);
  }

  /**
   * Lets a credential expire in `overlapMs`, or earlier where it would have. 0 revokes it at once.
   * @param alsoSets further columns of the update
   */
  async replace(tx: Tx, id: number, overlapMs: number, alsoSets = ''): Promise<Row> {
    const { name, columns } = this.#table;
    const [after] = await tx.query<Row>(
      `update ${name} set ${alsoSets}
         revoked_at = case when $2::bigint = 0 then now() else revoked_at end,
         expires_at = case when $2::bigint = 0 then expires_at
           else least(expires_at, now() + $2::bigint * interval '1 millisecond') end
       where id = $1 returning ${columns}`,
      [id, overlapMs],
    );
    return after!;
  }

  /** Revokes credentials and returns them as they are then, in no order. */
  revoke(tx: Tx, ids: readonly number[]): Promise<Row[]> {
    const { name, columns } = this.#table;
    return tx.query<Row>(`update ${name} set revoked_at = now() where id = any($1::bigint[]) returning ${columns}`, [
      ids,
    ]);
  }
}
