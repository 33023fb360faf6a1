import { createHash } from 'node:crypto';
import type { Tx } from '../../postgres/db.js';
import type { Actor } from './create-change-log.js';
import { done, type Outcome, rejected } from './outcome.js';

interface CreationRequest {
  actor: Actor;
  idempotencyKey: string | undefined;
  dryRun: boolean;
  /**
   * Kind of creation. Requests of two kinds are different requests, even with the same attributes.
   */
  operation: string;
  /** Attributes of the object to create, without options. */
  attributes: object;
}

/**
 * Creates an object at most once per actor and idempotency key. A repeated request, for example
 * after a lost response, returns the object of the first request in its current state. A different
 * request under the same key fails with `KEY_REUSED`. The calling code holds a lock of the change
 * log (see `ChangeWrite.locks`), which serializes concurrent requests.
 */
export async function createOnce<T>(
  tx: Tx,
  { actor, idempotencyKey, dryRun, operation, attributes }: CreationRequest,
  find: (entityKey: string) => Promise<T | null>,
  keyOf: (value: T) => string,
  create: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (idempotencyKey === undefined) return create();
  const hash = createHash('sha256')
    .update(JSON.stringify([operation, sorted(attributes)]))
    .digest('hex');
  await tx.query(`delete from idempotency_keys where created_at < now() - interval '1 day'`);
  const [known] = await tx.query<{ request_hash: string; entity_key: string }>(
    'select request_hash, entity_key from idempotency_keys where actor = $1 and key = $2',
    [actor.name, idempotencyKey],
  );
  if (known) {
    const created = known.request_hash === hash ? await find(known.entity_key) : null;
    if (created) return done(created, { warnings: ['this request repeats an earlier one, so it created nothing'] });
    const message = `a different request already used the idempotency key ${JSON.stringify(idempotencyKey)}`;
    return rejected([{ code: 'KEY_REUSED', field: ['idempotencyKey'], message }]);
  }
  const outcome = await create();
  if (outcome.ok && !dryRun) {
    await tx.query('insert into idempotency_keys (actor, key, request_hash, entity_key) values ($1, $2, $3, $4)', [
      actor.name,
      idempotencyKey,
      hash,
      keyOf(outcome.value),
    ]);
  }
  return outcome;
}

/** Converts the value to a form whose JSON text does not depend on the order of members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
