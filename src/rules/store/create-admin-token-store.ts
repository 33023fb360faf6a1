import { z } from 'zod';
import { show } from '../../model/describe-problems.js';
import type { Connections, Tx } from '../../postgres/db.js';
import { nameAtAGlance } from '../policy/alike-names.js';
import { oneOf, text, wholeNumber } from '../policy/validators.js';
import type { Actor, ChangeLog } from './create-change-log.js';
import { createOnce } from './create-once.js';
import { Credentials, describeOverlap, expiresAtOption, overlapOption, randomSecret } from './credentials.js';
import { hashSecret } from './hash-secret.js';
import {
  type ChangeOptions,
  type CreateOptions,
  changeOptions,
  createOptions,
  done,
  type Outcome,
  rejected,
  splitOptions,
  toUserErrors,
  type UserError,
} from './outcome.js';

/**
 * Roles of administrators. Each role includes the rights of the roles before it, except that only
 * `DECIDER` and `ADMIN` may ask for decisions. A `DECIDER` may do nothing else.
 */
export const ADMIN_ROLES = ['DECIDER', 'VIEWER', 'OPERATOR', 'ADMIN'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** A stored administrator token, without the token itself. */
export interface AdminTokenRecord {
  id: number;
  /** Name of the holder, recorded as the actor of their changes. */
  name: string;
  role: AdminRole;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /**
   * Time of rotation; null if the token was not rotated. A rotated token stays valid next to its
   * replacement until `expiresAt`.
   */
  replacedAt: Date | null;
  createdAt: Date;
}

/** Reference to a token by its id, or to the tokens of a holder by their name. */
export interface AdminTokenReference extends ChangeOptions {
  id?: number | undefined;
  name?: string | undefined;
}

export interface AdminTokenRotate extends AdminTokenReference {
  /** Time that the old token stays valid, in milliseconds. @default 0 */
  overlapMs?: number | undefined;
  /** Expiry of the new token. @default the expiry of the old token */
  expiresAt?: Date | undefined;
}

export interface AdminTokenCreate extends CreateOptions {
  name: string;
  role: AdminRole;
  /** @default never */
  expiresAt?: Date | undefined;
}

/**
 * Result of creating, rotating or revoking an administrator token. Only this result contains the
 * token itself, because Tollgate stores only its hash.
 */
export interface CreatedAdminToken {
  /** After a rotation, the new token. */
  adminToken: AdminTokenRecord;
  /**
   * The token itself. Null after a dry run, after a revocation, and if an earlier identical request
   * created the token.
   */
  secret: string | null;
}

/**
 * Names of actors without a stored token. They are reserved so that the holder of a token neither
 * appears as such an actor in the record of changes, nor shares its bucket in the admin API.
 */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['admin', 'tollgate']);

const createSchema = z.strictObject({
  ...createOptions,
  name: text(1, 100)
    .refine(looksAsItIs, { error: ({ input }) => `expected ${PLAIN_NAME}, got ${show(input)}`, abort: true })
    .refine((name) => !RESERVED_NAMES.has(nameAtAGlance(name)), {
      error: ({ input }) =>
        `expected a name other than ${input}, which is reserved for the token from the settings or for Tollgate itself`,
    }),
  role: oneOf(ADMIN_ROLES),
  expiresAt: expiresAtOption,
});

const reference = {
  ...changeOptions,
  id: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  name: text(1, 100).optional(),
};
const revokeSchema = z.strictObject(reference).superRefine(checkReference);
const rotateSchema = z
  .strictObject({
    ...reference,
    overlapMs: overlapOption,
    expiresAt: expiresAtOption,
  })
  .superRefine(checkReference);

const COLUMNS = `id, name, role, expires_at as "expiresAt", revoked_at as "revokedAt",
  replaced_at as "replacedAt", created_at as "createdAt"`;

const tokens = new Credentials<AdminTokenRecord>({ name: 'admin_tokens', columns: COLUMNS });

const PLAIN_NAME =
  'a name without leading or trailing spaces, invisible characters, and full-width or half-width variants of characters';

/**
 * Returns whether a name is in NFKC form, without surrounding spaces or invisible characters.
 * With other names, two tokens could look alike, and an administrator could revoke the wrong one.
 */
function looksAsItIs(name: string): boolean {
  return name === name.normalize('NFKC').trim() && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}

/** Returns the functions that read administrator tokens. */
function tokenReads(db: Connections) {
  return {
    /**
     * Returns the record of this token, with its holder and role. Returns null if the token is
     * unknown, revoked or expired.
     */
    async findAdminToken(token: string): Promise<AdminTokenRecord | null> {
      const [row] = await db.query<AdminTokenRecord>(
        `select ${COLUMNS} from admin_tokens
         where token_hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
        [hashSecret(token)],
      );
      return row ?? null;
    },

    /** Returns a page of tokens, oldest first, including revoked ones. */
    pageAdminTokens({ after, limit }: { after: number; limit: number }): Promise<AdminTokenRecord[]> {
      return db.query<AdminTokenRecord>(`select ${COLUMNS} from admin_tokens where id > $1 order by id limit $2`, [
        after,
        limit,
      ]);
    },

    adminTokensById: (ids: readonly number[]) => tokens.read(db, ids),
  };
}

/** Returns the functions that end administrator tokens: by rotation or by revocation. */
function tokenEndings(changes: ChangeLog) {
  return {
    /**
     * Creates a new token with the name and role of an old one. The old token stays valid for
     * `overlapMs` from now on.
     */
    async rotateAdminToken(input: AdminTokenRotate, actor: Actor): Promise<Outcome<CreatedAdminToken>> {
      const { error } = rotateSchema.safeParse(input);
      if (error) return rejected(toUserErrors(error));
      const { overlapMs = 0, dryRun = false } = input;
      return changes.write({ actor, comment: input.comment }, async (tx, record) => {
        const [before] = await findTokens(tx, input);
        if (!before) return rejected([unknownToken(input)]);
        const current = { adminToken: before, secret: null };
        const ended = before.revokedAt ? 'revoked' : before.replacedAt ? 'rotated' : undefined;
        if (ended) return rejected([cannotRotate(ended, input)], current);
        const { name, role } = before;
        const expiresAt = input.expiresAt ?? before.expiresAt;
        if (expiresAt && expiresAt.getTime() <= Date.now()) return rejected([wouldBeExpired()], current);
        const effects = { warnings: [describeOverlap(`token of ${name}`, overlapMs)] };
        if (dryRun) return done({ adminToken: unmade(name, role, expiresAt), secret: null }, effects);
        const after = await tokens.replace(tx, before.id, overlapMs, 'replaced_at = now(),');
        const { adminToken, secret } = await insertToken(tx, { name, role, expiresAt });
        const entity = 'ADMIN_TOKEN' as const;
        await record([
          { entity, key: String(adminToken.id), action: 'CREATE', before: null, after: adminToken },
          { entity, key: String(before.id), action: 'ROTATE', before, after },
        ]);
        return done({ adminToken, secret }, effects);
      });
    },

    /**
     * Revokes a token permanently. By name, it revokes all tokens of the holder that are not
     * revoked, including a rotated token that is still valid.
     */
    async revokeAdminToken(input: AdminTokenReference, actor: Actor): Promise<Outcome<CreatedAdminToken>> {
      const { error } = revokeSchema.safeParse(input);
      if (error) return rejected(toUserErrors(error));
      return changes.write({ actor, comment: input.comment }, async (tx, record) => {
        const found = await findTokens(tx, input);
        const [shown] = found;
        if (!shown) return rejected([unknownToken(input)]);
        const ending = found.filter(({ revokedAt }) => revokedAt === null);
        const others = input.id === undefined ? [] : await goodOthers(tx, shown);
        const warnings = others.map(({ name }) => `another token of ${name} is still valid: revoke it by its name`);
        const now = new Date();
        if (input.dryRun || ending.length === 0) {
          const adminToken = { ...shown, revokedAt: shown.revokedAt ?? now };
          return done({ adminToken, secret: null }, { warnings });
        }
        const revoked = await tokens.revoke(
          tx,
          ending.map(({ id }) => id),
        );
        const after = new Map(revoked.map((token) => [token.id, token]));
        await record(
          ending.map((before) => {
            const { id } = before;
            return { entity: 'ADMIN_TOKEN', key: String(id), action: 'REVOKE', before, after: after.get(id)! };
          }),
        );
        return done({ adminToken: after.get(shown.id) ?? shown, secret: null }, { warnings });
      });
    },
  };
}

export function createAdminTokenStore(db: Connections, changes: ChangeLog) {
  return {
    /**
     * Creates a token. Rejects a name that looks like that of another token, unless that token is
     * revoked, or rotated and expired.
     */
    async createAdminToken(input: AdminTokenCreate, actor: Actor): Promise<Outcome<CreatedAdminToken>> {
      const { error } = createSchema.safeParse(input);
      if (error) return rejected(toUserErrors(error));
      const { options, attributes } = splitOptions(input);
      const { dryRun, idempotencyKey } = options;
      const { name, role, expiresAt = null } = input;
      return changes.write({ actor, comment: options.comment }, (tx, record) =>
        createOnce<CreatedAdminToken>(
          tx,
          { actor, idempotencyKey, dryRun, operation: 'adminToken', attributes },
          async (id) => {
            const [adminToken] = await tokens.read(tx, [Number(id)]);
            return adminToken ? { adminToken, secret: null } : null;
          },
          ({ adminToken }) => String(adminToken.id),
          async () => {
            const taken = await findTaken(tx, name);
            if (taken) return rejected([taken]);
            if (dryRun) {
              const createdAt = new Date();
              return done({ adminToken: { ...unmade(name, role, expiresAt), createdAt }, secret: null });
            }
            const { adminToken, secret } = await insertToken(tx, { name, role, expiresAt });
            const key = String(adminToken.id);
            await record({ entity: 'ADMIN_TOKEN', key, action: 'CREATE', before: null, after: adminToken });
            return done({ adminToken, secret });
          },
        ),
      );
    },

    ...tokenEndings(changes),
    ...tokenReads(db),
  };
}

/** Returns an error if a new token cannot have this name, else undefined. */
async function findTaken(tx: Tx, name: string): Promise<UserError | undefined> {
  const taken = await tx.query<{ name: string }>(
    `select name from admin_tokens where revoked_at is null and (replaced_at is null or expires_at > now())`,
  );
  // A name that only looks like an existing one, with letters of another alphabet, is rejected too.
  // Otherwise an administrator could revoke the wrong token.
  const alike = taken.find((one) => nameAtAGlance(one.name) === nameAtAGlance(name));
  if (!alike) return undefined;
  const differs = alike.name.toLowerCase() === name.toLowerCase() ? '' : ', which looks the same as this name';
  const message = `there is a token of ${alike.name}${differs}: revoke it first, or choose another name`;
  return { code: 'ALREADY_EXISTS', field: ['name'], message };
}

interface NewToken {
  name: string;
  role: AdminRole;
  expiresAt: Date | null;
}

async function insertToken(tx: Tx, { name, role, expiresAt }: NewToken) {
  const secret = randomSecret('tga_');
  const [made] = await tx.query<AdminTokenRecord>(
    `insert into admin_tokens (name, role, token_hash, expires_at) values ($1, $2, $3, $4) returning ${COLUMNS}`,
    [name, role, hashSecret(secret), expiresAt],
  );
  return { adminToken: made!, secret };
}

/** Returns the token that a dry run shows. It is not stored. */
function unmade(name: string, role: AdminRole, expiresAt: Date | null): AdminTokenRecord {
  return { id: 0, name, role, expiresAt, revokedAt: null, replacedAt: null, createdAt: new Date() };
}

/**
 * Returns the token with the id, or all tokens with the name that are not revoked. A replacement
 * comes before the token that it replaced.
 */
function findTokens(tx: Tx, { id, name }: AdminTokenReference): Promise<AdminTokenRecord[]> {
  if (id !== undefined) return tokens.read(tx, [id]);
  return tx.query<AdminTokenRecord>(
    `select ${COLUMNS} from admin_tokens where lower(name) = lower($1) and revoked_at is null
     order by replaced_at desc nulls first, id desc`,
    [name!],
  );
}

/** Returns other valid tokens with the same name. */
function goodOthers(tx: Tx, { id, name }: AdminTokenRecord): Promise<AdminTokenRecord[]> {
  return tx.query<AdminTokenRecord>(
    `select ${COLUMNS} from admin_tokens where lower(name) = lower($1) and id <> $2 and revoked_at is null
     and (expires_at is null or expires_at > now())`,
    [name, id],
  );
}

function checkReference({ id, name }: AdminTokenReference, context: z.RefinementCtx): void {
  if ((id === undefined) !== (name === undefined)) return;
  const path = id === undefined ? [] : ['id'];
  context.addIssue({ code: 'custom', path, message: 'expected either the id or the name of a token' });
}

function unknownToken({ id }: AdminTokenReference): UserError {
  if (id !== undefined) return { code: 'NOT_FOUND', field: ['id'], message: 'there is no admin token with this id' };
  return { code: 'NOT_FOUND', field: ['name'], message: 'no admin token has this name, or every one is revoked' };
}

function cannotRotate(ended: 'revoked' | 'rotated', { id }: AdminTokenReference): UserError {
  const message = `the token was ${ended}: ${ended === 'revoked' ? 'create a new one' : 'rotate the one that replaced it'}`;
  return { code: 'INVALID', field: [id === undefined ? 'name' : 'id'], message };
}

function wouldBeExpired(): UserError {
  return { code: 'INVALID', field: ['expiresAt'], message: 'expected a time in the future' };
}
