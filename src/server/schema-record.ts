import { compareSchemas, type PricedSchema, type SchemaChange } from '../gateway/schema/compare-schemas.js';
import type { Logger } from '../model/logger.js';
import type { Actor } from '../rules/store/create-change-log.js';
import type { RulesStore } from '../rules/store/rules-store.js';

/** An administrator who requests that a schema is read again. */
export interface RefreshAsker {
  actor: Actor;
  /** Reason of the request. */
  comment: string | undefined;
}

interface SchemaRecordOptions {
  store: Pick<RulesStore, 'recordSchema'>;
  /** Name of the API in the record. */
  key: string;
  /** Schema and prices in force at the start. */
  first: PricedSchema;
  logger: Logger;
}

/** Records the changes of a remote API's schema and prices. */
interface SchemaRecord {
  /**
   * Records the schema now in force, and the actor who changed it. Resolves to the changes since
   * the last call, or to undefined if there are none. Never rejects.
   */
  note(now: PricedSchema, reason: string, by: RefreshAsker | undefined): Promise<SchemaChange | undefined>;
}

export function createSchemaRecord({ store, key, first, logger }: SchemaRecordOptions): SchemaRecord {
  let last = first;
  return {
    async note(now, reason, by) {
      const isSame = now.schema === last.schema && now.overlay === last.overlay && now.presets === last.presets;
      if (isSame) return undefined;
      const change = compareSchemas(last, now);
      if (change === undefined) {
        last = now;
        return undefined;
      }
      const { actor, comment } = by ?? { actor: { name: 'gateway', authMethod: 'SYSTEM' as const }, comment: reason };
      try {
        await store.recordSchema({ key, ...change }, actor, comment);
        last = now;
      } catch (error) {
        // Only log the error, because the change is already in force. The next call records it
        // together with later changes.
        logger.error({ err: error }, 'A change of the schema could not be recorded');
      }
      return change;
    },
  };
}
