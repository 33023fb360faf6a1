import type { Logger } from '../model/logger.js';
import { type Db, sqlStateOf } from '../postgres/db.js';
import { type PublishedPolicy, publishPolicy } from '../services/published-policy.js';
import type { PublishedSchema } from '../services/published-schema.js';
import { publishSchema } from '../services/published-service.js';

/** What other processes are to know of the API of this one. */
export interface Published {
  schema: PublishedSchema;
  policy: PublishedPolicy;
}

/**
 * Returns what publishes it once more, and never rejects.
 *
 * @param published undefined: nothing
 */
export function createPublisher(db: Db, published: Published | undefined, logger: Logger): () => Promise<void> {
  // The database takes it no more readily the next time.
  let isPolicyRefused = false;
  // One that is too large for the table, say: what it protects is protected all the same.
  const onUnpublished = (error: unknown) =>
    logger.error({ err: error }, 'The schema could not be published: others explain and simulate with the one before');
  const onPolicyUnpublished = (error: unknown) =>
    logger.error({ err: error }, 'The rules and tiers in code could not be published: others list those before');

  return async () => {
    if (!published || isPolicyRefused) return;
    await publishSchema(db, published.schema).catch(onUnpublished);
    await publishPolicy(db, published.policy).catch((error: unknown) => {
      // What is wrong with the data, and not with the database.
      isPolicyRefused = /^2[23]/.test(sqlStateOf(error) ?? '');
      onPolicyUnpublished(error);
    });
  };
}
