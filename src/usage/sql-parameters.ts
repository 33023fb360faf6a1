import type { SqlValue } from '../store/db.js';

/** Collects the values of a statement whose conditions depend on what is asked. Only its `$1` ever stands in the text. */
export function createParameters() {
  const values: SqlValue[] = [];
  return {
    values: values as readonly SqlValue[],
    add(value: SqlValue): string {
      values.push(value);
      return `$${values.length}`;
    },
  };
}

export type Parameters = ReturnType<typeof createParameters>;
