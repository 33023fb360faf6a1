import { createHash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import type { CostOverlay } from '../../cost/annotations/cost-overlay.js';
import { type PortablePrices, readPortablePrices } from '../../cost/manifest/portable-prices.js';
import type { CostPreset } from '../../cost/settings/cost-presets.js';
import { signaturesOf } from './describe-schema-change.js';

/** A schema with the prices that are set outside the schema. */
export interface PricedSchema {
  readonly schema: GraphQLSchema;
  readonly overlay: CostOverlay | undefined;
  readonly presets?: readonly CostPreset[] | undefined;
}

/** The parts of a priced schema that differ from another one, by coordinate. */
interface SchemaFacts {
  /** Hash of the whole priced schema. Equal schemas have the same hash. */
  readonly hash: string;
  /** Signature of each coordinate: `(first: Int = 10): [Item!]!` */
  readonly fields: Readonly<Record<string, string>>;
  readonly prices: PortablePrices['overlay'];
  /** Number of differing coordinates that are not listed; absent if all are listed. */
  readonly more?: number;
}

export interface SchemaChange {
  readonly before: SchemaFacts;
  readonly after: SchemaFacts;
}

/** Maximum number of listed coordinates of each kind: an API may have tens of thousands. */
const MOST_NAMED = 200;

/**
 * Returns the differences between two priced schemas; undefined if no difference affects callers or
 * prices.
 * @param mostNamed maximum number of listed coordinates of each kind; the others are only counted
 */
export function compareSchemas(
  before: PricedSchema,
  after: PricedSchema,
  mostNamed: number = MOST_NAMED,
): SchemaChange | undefined {
  const [old, fresh] = [readFacts(before), readFacts(after)];
  if (old.hash === fresh.hash) return undefined;
  const fields = pickDifferent(old.fields, fresh.fields, mostNamed);
  const prices = pickDifferent(old.prices, fresh.prices, mostNamed);
  const more = fields.more + prices.more;
  const factsOf = (side: 'before' | 'after', hash: string): SchemaFacts => ({
    hash,
    fields: Object.fromEntries(fields[side]),
    prices: Object.fromEntries(prices[side]),
    ...(more > 0 && { more }),
  });
  return { before: factsOf('before', old.hash), after: factsOf('after', fresh.hash) };
}

interface AllFacts {
  hash: string;
  fields: ReadonlyMap<string, string>;
  prices: ReadonlyMap<string, PortablePrices['overlay'][string]>;
}

function readFacts({ schema, overlay, presets }: PricedSchema): AllFacts {
  const fields = signaturesOf(schema);
  const prices = new Map(
    Object.entries(readPortablePrices(schema, { ...(overlay && { overlay }), ...(presets && { presets }) }).overlay),
  );
  const text = JSON.stringify([sorted(fields), sorted(prices)]);
  return { hash: createHash('sha256').update(text).digest('hex'), fields, prices };
}

/** Sorts the entries, because the order in which an API lists its fields is not a change. */
function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function pickDifferent<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  mostNamed: number,
) {
  const isOther = (key: string) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key));
  const all = [...new Set([...before.keys(), ...after.keys()])].filter(isOther).sort();
  const named = new Set(all.slice(0, mostNamed));
  const ofNamed = (map: ReadonlyMap<string, Value>) => [...map].filter(([key]) => named.has(key));
  return { before: ofNamed(before), after: ofNamed(after), more: all.length - named.size };
}
