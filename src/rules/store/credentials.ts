import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Queryable, Tx } from '../../postgres/db.js';
import { wholeNumber } from '../policy/validators.js';

/** Columns that API keys and administrator tokens have in common. */
interface Credential {
  id: number;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

interface CredentialTable {
  name: 'admin_tokens' | 'api_keys';
  /** Column list of a select, with aliases that match the fields of the record. */
  columns: string;
}

/** Maximum time that a credential stays valid after its replacement: 90 days. */
const MAX_OVERLAP_MS = 90 * 86_400_000;

/** Time that a credential stays valid after its replacement, in milliseconds. @default 0 */
export const overlapOption = wholeNumber(0, MAX_OVERLAP_MS).optional();

export const expiresAtOption = z.date({ error: 'expected a date' }).optional();

/**
 * Returns the prefix followed by a random secret of `bytes` bytes (256 bits by default) in
 * base64url.
 */
export function randomSecret(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url');
}

/** Returns a text that states how long a replaced credential stays valid. */
export function describeOverlap(credential: string, overlapMs: number): string {
  return `the old ${credential} ${overlapMs === 0 ? 'is no longer valid' : `stays valid for ${overlapMs} ms`}`;
}

/** Reads, replaces and revokes the credentials of one table. */
export class Credentials<Row extends Credential> {
  readonly #table: CredentialTable;

  constructor(table: CredentialTable) {
    this.#table = table;
  }

  /** Returns the credentials with these ids, in no particular order. */
  read(on: Queryable, ids: readonly number[]): Promise<Row[]> {
    const { name, columns } = this.#table;
    return on.query<Row>(`select ${columns} from ${name} where id = any($1::bigint[])`, [ids]);
  }

  /**
   * Sets the expiry of a credential to `overlapMs` from now, unless it expires earlier anyway. With
   * 0, revokes it immediately.
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

  /** Revokes credentials. Returns them in their new state, in no particular order. */
  revoke(tx: Tx, ids: readonly number[]): Promise<Row[]> {
    const { name, columns } = this.#table;
    return tx.query<Row>(`update ${name} set revoked_at = now() where id = any($1::bigint[]) returning ${columns}`, [
      ids,
    ]);
  }
}
