import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../postgres/db.js';
import type { Clock } from '../../runtime/clock.js';
import { MAX_NAME_BYTES, storedText } from '../../runtime/stored-text.js';
import type { UsageOperation, UsageSubject } from './create-cardinality-bounds.js';

/** Ids that the rows of usage use for callers, operations, fields and rules. */
export interface NameNumbers {
  /** Loads the ids of all of these names. Call it outside of a transaction. */
  learn(names: {
    subjects: Iterable<UsageSubject>;
    operations: Iterable<UsageOperation>;
    coordinates: Iterable<string>;
    rules: Iterable<string>;
  }): Promise<void>;
  /** Discards all ids, because the database may have other ids now. */
  forget(): void;
  /** Returns an id. Throws for any object other than those passed to the last `learn`. */
  subject(subject: UsageSubject): number;
  operation(operation: UsageOperation): number;
  field(coordinate: string): number;
  rule(name: string): number;
}

/**
 * Maximum memory for names that callers choose, in estimated bytes of the heap. Other names need no
 * bound, because there are few.
 */
const MAX_KNOWN_BYTES = 16 * 2 ** 20;
const BYTES_PER_NAME = 100;
const NAMES_AT_ONCE = 1_000;
const MAX_STORED_BYTES = 512;
const MAX_RULE_BYTES = 100;

/**
 * Caches the ids of names in memory. Each name is looked up once a day, which also updates its last
 * use in the database.
 */
export function createNameNumbers(db: Db, now: Clock): NameNumbers {
  const subjects = createNumbers<UsageSubject>(subjectKey, async (asked) => {
    const stored = asked.map(({ tenant, kind, name }) => [storedText(tenant, MAX_STORED_BYTES), kind, stored512(name)]);
    const rows = await db.query<{ id: number; tenant_id: string; kind: string; name: string }>(
      `insert into usage_subjects as known (tenant_id, kind, name, last_seen_on)
      select distinct tenant_id, kind, name, (now() at time zone 'UTC')::date
      from unnest($1::text[], $2::text[], $3::text[]) as asked (tenant_id, kind, name)
      order by tenant_id, kind, name
      on conflict (tenant_id, kind, name) do update set last_seen_on = greatest(known.last_seen_on, excluded.last_seen_on)
      returning id, tenant_id, kind, name`,
      [column(stored, 0), column(stored, 1), column(stored, 2)],
    );
    return numbersOf(
      stored,
      rows.map(({ id, tenant_id, kind, name }) => [id, [tenant_id, kind, name]]),
    );
  });
  const operations = createNumbers<UsageOperation>(operationKey, async (asked) => {
    const stored = asked.map(({ type, name }) => [type, storedText(name, MAX_NAME_BYTES)]);
    const rows = await db.query<{ id: number; type: string; name: string }>(
      `insert into usage_operations as known (type, name, last_seen_on)
      select distinct type, name, (now() at time zone 'UTC')::date
      from unnest($1::text[], $2::text[]) as asked (type, name)
      order by type, name
      on conflict (type, name) do update set last_seen_on = greatest(known.last_seen_on, excluded.last_seen_on)
      returning id, type, name`,
      [column(stored, 0), column(stored, 1)],
    );
    return numbersOf(
      stored,
      rows.map(({ id, type, name }) => [id, [type, name]]),
    );
  });
  const fields = createNumbers<string>(asIs, async (asked) => {
    const stored = asked.map((coordinate) => [stored512(coordinate)]);
    const rows = await db.query<{ id: number; name: string }>(
      `insert into usage_fields (coordinate)
      select distinct coordinate from unnest($1::text[]) as asked (coordinate) order by coordinate
      on conflict (coordinate) do update set coordinate = excluded.coordinate
      returning id, coordinate as name`,
      [column(stored, 0)],
    );
    return numbersOf(
      stored,
      rows.map(({ id, name }) => [id, [name]]),
    );
  });
  const rules = createNumbers<string>(asIs, async (asked) => {
    const stored = asked.map((name) => [storedText(name, MAX_RULE_BYTES)]);
    const rows = await db.query<{ id: number; name: string }>(
      `insert into usage_rules (name)
      select distinct name from unnest($1::text[]) as asked (name) order by name
      on conflict (name) do update set name = excluded.name
      returning id, name`,
      [column(stored, 0)],
    );
    return numbersOf(
      stored,
      rows.map(({ id, name }) => [id, [name]]),
    );
  });
  let day = Number.NaN;

  function forget(): void {
    for (const known of [subjects, operations, fields, rules]) known.forget();
  }

  return {
    forget,
    async learn(names) {
      const today = Math.floor(now() / 86_400_000);
      if (today !== day) forget();
      day = today;
      await subjects.learn(names.subjects);
      await operations.learn(names.operations);
      await fields.learn(names.coordinates);
      await rules.learn(names.rules);
    },
    subject: (subject) => subjects.of(subject),
    operation: (operation) => operations.of(operation),
    field: (coordinate) => fields.of(coordinate),
    rule: (name) => rules.of(name),
  };
}

/** Returns the names of the most recently used operations, at most `most`, latest last. */
export async function storedOperationNames(db: Db, most: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select name from usage_operations where name <> '' order by last_seen_on desc, id desc limit $1`,
    [most],
  );
  return rows.map(({ name }) => name).reverse();
}

function createNumbers<Name>(keyOf: (name: Name) => string, look: (names: Name[]) => Promise<number[]>) {
  const known = new LRUCache<string, number>({
    maxSize: MAX_KNOWN_BYTES,
    sizeCalculation: (_number, key) => BYTES_PER_NAME + key.length * 2,
  });
  /**
   * Ids of the current batch, by the objects that were passed to `learn`. The cache may have
   * evicted them already.
   */
  let current = new Map<Name, number>();

  return {
    forget: () => known.clear(),
    async learn(names: Iterable<Name>): Promise<void> {
      const wanted = new Map<Name, number>();
      let unknown = new Map<string, Name[]>();
      const lookUp = async () => {
        const keys = [...unknown.keys()];
        const numbers = await look(keys.map((key) => unknown.get(key)![0]!));
        for (const [index, key] of keys.entries()) {
          known.set(key, numbers[index]!);
          for (const name of unknown.get(key)!) wanted.set(name, numbers[index]!);
        }
        unknown = new Map();
      };
      let count = 0;
      for (const name of names) {
        // Let other work of the process run in between.
        if (++count % NAMES_AT_ONCE === 0) await turn();
        const key = keyOf(name);
        const number = known.get(key);
        if (number !== undefined) wanted.set(name, number);
        else {
          const alike = unknown.get(key);
          if (alike) alike.push(name);
          else unknown.set(key, [name]);
        }
        if (unknown.size === NAMES_AT_ONCE) await lookUp();
      }
      if (unknown.size > 0) await lookUp();
      current = wanted;
    },
    of(name: Name): number {
      const number = current.get(name);
      if (number === undefined) throw new Error(`no id is loaded for ${keyOf(name)}`);
      return number;
    },
  };
}

/** Returns the id of each stored name. Names with the same stored form share one id. */
function numbersOf(stored: readonly string[][], rows: readonly [number, string[]][]): number[] {
  const byText = new Map(rows.map(([id, parts]) => [parts.join('\0'), id]));
  return stored.map((parts) => {
    const id = byText.get(parts.join('\0'));
    if (id === undefined) throw new Error(`the database returned no id for ${JSON.stringify(parts)}`);
    return id;
  });
}

const asIs = (text: string) => text;
const stored512 = (text: string) => storedText(text, MAX_STORED_BYTES);
const column = (rows: readonly string[][], index: number) => rows.map((row) => row[index]!);

function subjectKey({ tenant, kind, name }: UsageSubject): string {
  return `${kind}\n${tenant.length}\n${tenant}${name}`;
}

function operationKey({ type, name }: UsageOperation): string {
  return `${type}\n${name}`;
}
