import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Db, Queryable } from '../../postgres/db.js';
import { oneOf, text, wholeNumber } from '../policy/validators.js';
import type { Actor, ChangeLog } from './changes.js';
import { createOnce } from './idempotency.js';
import {
  type ChangeOptions,
  type CreateOptions,
  changeOptions,
  createOptions,
  done,
  type Outcome,
  refused,
  splitOptions,
  toUserErrors,
} from './outcome.js';

/** What an administrator may do; each may all that the ones before it may. */
export const ADMIN_ROLES = ['VIEWER', 'OPERATOR', 'ADMIN'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** What is stored about an administrator's token: everything but the token. */
export interface AdminTokenRecord {
  id: number;
  /** Who holds it: the actor of what is changed with it. */
  name: string;
  role: AdminRole;
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

export interface AdminTokenCreate extends CreateOptions {
  name: string;
  role: AdminRole;
  /** @default never */
  expiresAt?: Date | undefined;
}

/** The only time that the token itself is seen: it cannot be read again. */
export interface CreatedAdminToken {
  adminToken: AdminTokenRecord;
  /** Null after a dry run, and where the same request had made the token before. */
  secret: string | null;
}

/** Actors that are no stored token: what they change, and the bucket that they pay from, must be theirs alone. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['admin', 'tollgate']);

const createSchema = z.strictObject({
  ...createOptions,
  name: text(1, 100).refine((name) => !RESERVED_NAMES.has(folded(name)), {
    error: ({ input }) =>
      `expected another name than ${input}: it is that of the settings' token, or of Tollgate itself`,
  }),
  role: oneOf(ADMIN_ROLES),
  expiresAt: z.date({ error: 'expected a date' }).optional(),
});

const revokeSchema = z.strictObject({ ...changeOptions, id: wholeNumber(0, Number.MAX_SAFE_INTEGER) });

const COLUMNS = `id, name, role, expires_at as "expiresAt", revoked_at as "revokedAt", created_at as "createdAt"`;

/** Names that a reader of the changes would take for one. */
function folded(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** What is stored of a token: SHA-256 of all of it, in hexadecimal. */
export function hashAdminToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function createAdminTokenStore(db: Db, changes: ChangeLog) {
  return {
    async createAdminToken(input: AdminTokenCreate, actor: Actor): Promise<Outcome<CreatedAdminToken>> {
      const { error } = createSchema.safeParse(input);
      if (error) return refused(toUserErrors(error));
      const { options, attributes } = splitOptions(input);
      const { dryRun, idempotencyKey } = options;
      const { name, role, expiresAt = null } = input;
      return changes.write({ actor, comment: options.comment }, (tx, record) =>
        createOnce<CreatedAdminToken>(
          tx,
          { actor, idempotencyKey, dryRun, operation: 'adminToken', attributes },
          async (id) => {
            const [adminToken] = await readTokens(tx, [Number(id)]);
            return adminToken ? { adminToken, secret: null } : null;
          },
          ({ adminToken }) => String(adminToken.id),
          async () => {
            const taken = await tx.query(
              'select id from admin_tokens where lower(name) = lower($1) and revoked_at is null',
              [name],
            );
            if (taken.length > 0) {
              const message = `there is a token of ${name}: revoke it first, or choose another name`;
              return refused([{ code: 'ALREADY_EXISTS', field: ['name'], message }]);
            }
            if (dryRun) {
              const createdAt = new Date();
              return done({ adminToken: { id: 0, name, role, expiresAt, revokedAt: null, createdAt }, secret: null });
            }
            const secret = `tga_${randomBytes(32).toString('base64url')}`;
            const [made] = await tx.query<AdminTokenRecord>(
              `insert into admin_tokens (name, role, token_hash, expires_at) values ($1, $2, $3, $4) returning ${COLUMNS}`,
              [name, role, hashAdminToken(secret), expiresAt],
            );
            await record({
              entity: 'ADMIN_TOKEN',
              key: String(made!.id),
              action: 'CREATE',
              before: null,
              after: made!,
            });
            return done({ adminToken: made!, secret });
          },
        ),
      );
    },

    async revokeAdminToken(input: ChangeOptions & { id: number }, actor: Actor): Promise<Outcome<CreatedAdminToken>> {
      const { error } = revokeSchema.safeParse(input);
      if (error) return refused(toUserErrors(error));
      return changes.write({ actor, comment: input.comment }, async (tx, record) => {
        const [before] = await readTokens(tx, [input.id]);
        if (!before) {
          return refused([{ code: 'NOT_FOUND', field: ['id'], message: 'there is no admin token with this id' }]);
        }
        if (before.revokedAt) return done({ adminToken: before, secret: null });
        if (input.dryRun) return done({ adminToken: { ...before, revokedAt: new Date() }, secret: null });
        const [after] = await tx.query<AdminTokenRecord>(
          `update admin_tokens set revoked_at = now() where id = $1 returning ${COLUMNS}`,
          [input.id],
        );
        await record({ entity: 'ADMIN_TOKEN', key: String(before.id), action: 'REVOKE', before, after: after! });
        return done({ adminToken: after!, secret: null });
      });
    },

    /** Who holds this token, and what they may do; null when it is unknown, revoked or expired. */
    async findAdminToken(token: string): Promise<AdminTokenRecord | null> {
      const [row] = await db.query<AdminTokenRecord>(
        `select ${COLUMNS} from admin_tokens
         where token_hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
        [hashAdminToken(token)],
      );
      return row ?? null;
    },

    /** A page of tokens, oldest first; revoked ones too. */
    pageAdminTokens({ after, limit }: { after: number; limit: number }): Promise<AdminTokenRecord[]> {
      return db.query<AdminTokenRecord>(`select ${COLUMNS} from admin_tokens where id > $1 order by id limit $2`, [
        after,
        limit,
      ]);
    },

    adminTokensById: (ids: readonly number[]) => readTokens(db, ids),
  };
}

function readTokens(on: Queryable, ids: readonly number[]): Promise<AdminTokenRecord[]> {
  return on.query<AdminTokenRecord>(`select ${COLUMNS} from admin_tokens where id = any($1::bigint[])`, [ids]);
}
