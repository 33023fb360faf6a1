import type { Logger } from '../model/logger.js';
import { type Db, sqlStateOf } from '../postgres/db.js';
import { type PublishedPolicy, publishPolicy } from '../services/published-policy.js';
import type { PublishedSchema } from '../services/published-schema.js';
import { publishSchema } from '../services/published-service.js';

/** Description of this process's API for other processes. */
export interface Published {
  schema: PublishedSchema;
  policy: PublishedPolicy;
}

/**
 * Creates a function that publishes the API. It may be called repeatedly, and never rejects.
 *
 * @param published undefined if nothing is published
 */
export function createPublisher(db: Db, published: Published | undefined, logger: Logger): () => Promise<void> {
  // After the database has rejected the policy, a retry cannot succeed, so none is attempted.
  let isPolicyRejected = false;
  // Publishing may fail, for example if the schema is too large for the table. The API is still
  // protected.
  const onUnpublished = (error: unknown) =>
    logger.error(
      { err: error },
      'The schema could not be published: other processes explain operations and simulate rules with the previous one',
    );
  const onPolicyUnpublished = (error: unknown) =>
    logger.error(
      { err: error },
      'The rules and tiers in code could not be published: other processes list the previous ones',
    );

  return async () => {
    if (!published || isPolicyRejected) return;
    await publishSchema(db, published.schema).catch(onUnpublished);
    await publishPolicy(db, published.policy).catch((error: unknown) => {
      // These classes of SQLSTATE mean that the data is invalid, not that the database failed.
      isPolicyRejected = /^2[23]/.test(sqlStateOf(error) ?? '');
      onPolicyUnpublished(error);
    });
  };
}
