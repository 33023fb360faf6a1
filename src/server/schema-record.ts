import { compareSchemas, type PricedSchema, type SchemaChange } from '../gateway/schema/compare-schemas.js';
import type { Logger } from '../model/logger.js';
import type { Actor } from '../rules/store/create-change-log.js';
import type { RulesStore } from '../rules/store/rules-store.js';

/** An administrator who asks for a schema to be read again. */
export interface RefreshAsker {
  actor: Actor;
  /** Why. */
  comment: string | undefined;
}

interface SchemaRecordOptions {
  store: Pick<RulesStore, 'recordSchema'>;
  /** What the API is called in the record. */
  key: string;
  /** What is in force at the start. */
  first: PricedSchema;
  logger: Logger;
}

/** Puts on record how the schema of an API that is elsewhere changes, and its prices. */
interface SchemaRecord {
  /** What is in force now, and who made it so. Resolves to what has changed since the last time. Never rejects. */
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
        // It is in force; the next look records it together with what has changed until then.
        logger.error({ err: error }, 'A change of the schema could not be put on record');
      }
      return change;
    },
  };
}
