import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';
import { type AnnotationsOptions, createAnnotations } from '../annotations/annotations.js';
import type { CostOverlay, ExactPrice, OverlayEntry } from '../annotations/cost-overlay.js';
import type { FieldListSize, ListSize } from '../annotations/merge-list-sizes.js';
import type { SchemaProblem } from '../annotations/schema-problem.js';
import { readSizedFields } from '../annotations/sized-fields.js';
import type { CostAnalyzerOptions } from '../settings/cost-analyzer-options.js';
import { createPattern, isPattern, matches, type Pattern } from './create-pattern.js';
import { type PricedElement, pricedElements } from './priced-elements.js';
import { withPresets } from './with-presets.js';

/** Overlay whose patterns are expanded for one schema. */
export interface ExpandedOverlay {
  /** Annotations by coordinate. */
  readonly prices: Readonly<Record<string, ExactPrice>>;
  /**
   * Overlay key to mention in messages about a coordinate, by coordinate. It is the coordinate
   * itself, else a pattern that applies, else the coordinate on an interface.
   */
  readonly keys: ReadonlyMap<string, string>;
  /**
   * Mistakes in the keys and in the form of the entries. Mistakes in the values are found when the
   * annotations are read.
   */
  readonly problems: readonly SchemaProblem[];
}

interface PatternEntry extends Pattern {
  readonly key: string;
  readonly price: ExactPrice;
}

/**
 * Part of an annotation. Of all entries that have this part, only the one with the most specific
 * key applies.
 */
type Part = Exclude<keyof ExactPrice, 'perElement'>;
const PARTS: readonly Part[] = ['cost', 'listSize', 'maxSize', 'defaultSize'];

const NOTHING: ExpandedOverlay = { prices: {}, keys: new Map(), problems: [] };

/**
 * Returns the annotations of each coordinate from the overlay, and adds the list sizes of presets.
 *
 * Keys take precedence in this order: the coordinate itself, its coordinates on interfaces in the
 * order of the interfaces, and patterns that match any of these. A pattern with more characters
 * takes precedence over one with fewer. If two patterns have the same number, the later one takes
 * precedence. All keys take precedence over the schema.
 *
 * An element gets only those parts of a pattern's entry that are possible for it: a list size needs
 * a list, and a slicing argument must exist.
 */
export function expandOverlay(
  schema: GraphQLSchema,
  { overlay, presets = [] }: Pick<CostAnalyzerOptions, 'overlay' | 'presets'>,
  readings: Pick<AnnotationsOptions, 'names' | 'inference'>,
): ExpandedOverlay {
  const expanded = expandOwn(schema, overlay, readings);
  return presets.length === 0 ? expanded : { ...expanded, prices: withPresets(schema, expanded.prices, presets) };
}

function expandOwn(
  schema: GraphQLSchema,
  overlay: CostOverlay | undefined,
  readings: Pick<AnnotationsOptions, 'names' | 'inference'>,
): ExpandedOverlay {
  const entries = Object.entries(overlay ?? {});
  if (entries.length === 0) return NOTHING;
  const problems: SchemaProblem[] = [];
  const reject = (key: string, message: string): void =>
    void problems.push({ severity: 'error', coordinate: key, message, overlayKey: key });
  const exact = new Map<string, ExactPrice>();
  const patterns: PatternEntry[] = [];
  for (const [key, entry] of entries) {
    const price = priceOf(entry, (message) => reject(key, message));
    if (!isPattern(key)) {
      exact.set(key, price);
      continue;
    }
    const pattern = createPattern(key);
    if (pattern) patterns.push({ ...pattern, key, price });
    else reject(key, `expected ${FORMS}, with * for any characters`);
  }
  // The object has no prototype, because YAML allows any text as a key, including `__proto__`.
  const prices: Record<string, ExactPrice> = Object.assign(Object.create(null), Object.fromEntries(exact));
  const keys = new Map([...exact.keys()].map((key) => [key, key]));
  // Copy the price to each implementing type. Otherwise an annotation on such a type in the schema
  // would take precedence over the overlay.
  for (const { coordinate, elsewhere } of pricedElements(schema)) {
    const own = exact.get(coordinate);
    for (const key of elsewhere) {
      const inherited = exact.get(key);
      if (inherited === undefined) continue;
      prices[coordinate] = mergePrices(inherited, prices[coordinate]);
      if (own === undefined && !keys.has(coordinate)) keys.set(coordinate, key);
    }
  }
  if (patterns.length === 0) return { prices, keys, problems };

  // The sort is stable, so of equally specific patterns the later one is applied last and takes
  // precedence.
  patterns.sort((one, other) => one.letters - other.letters);
  const fitting = new Set<PatternEntry>();
  const bounds: { element: PricedElement; entry: PatternEntry; maxSize: number }[] = [];

  function add(element: PricedElement, entry: PatternEntry, price: ExactPrice): void {
    const { coordinate } = element;
    const parts = PARTS.filter((part) => price[part] !== undefined && !isPricedExactly(element, part));
    fitting.add(entry);
    if (parts.length === 0) return;
    prices[coordinate] = mergePrices(prices[coordinate], pickParts(price, parts));
    if (!exact.has(coordinate)) keys.set(coordinate, entry.key);
  }

  /**
   * Returns whether a key without `*` sets the part, for the coordinate itself or for its
   * coordinate on an interface. The key of an interface also applies to the implementing types.
   */
  function isPricedExactly({ coordinate, elsewhere }: PricedElement, part: Part): boolean {
    return [coordinate, ...elsewhere].some((each) => exact.get(each)?.[part] !== undefined);
  }

  for (const element of pricedElements(schema)) {
    for (const entry of patterns) {
      if (!matches(entry, element)) continue;
      const { cost, perElement = false, listSize, maxSize, defaultSize } = entry.price;
      const isList = element.field !== undefined && isListType(getNullableType(element.field.type));
      const size = listSize && element.field && fitListSize(listSize, element.field, schema);
      const given = {
        ...(cost !== undefined && element.isWeighed && (!perElement || element.takesList) && { cost, perElement }),
        ...(size !== undefined && { listSize: size }),
        ...(defaultSize !== undefined && isList && { defaultSize }),
      };
      if (Object.keys(given).length > 0) add(element, entry, given);
      if (maxSize !== undefined && element.field) bounds.push({ element, entry, maxSize });
    }
  }
  // Apply `maxSize` last, because it needs the slicing arguments that other keys set.
  const annotations = createAnnotations({ ...readings, schema, overlay: { ...prices } });
  for (const { element, entry, maxSize } of bounds) {
    if (isAskedFor(element)) add(element, entry, { maxSize });
  }
  for (const entry of patterns) {
    if (!fitting.has(entry)) reject(entry.key, 'this pattern applies to no coordinate of the schema');
  }
  return { prices, keys, problems };

  function isAskedFor({ coordinate, field, elsewhere }: PricedElement): boolean {
    if (field === undefined) return false;
    const size: Partial<FieldListSize> =
      [coordinate, ...elsewhere].map((each) => annotations.listSize(field, each)).find(Boolean) ??
      annotations.inferredListSize(field) ??
      {};
    const { slicingArguments = [], sizedFields = [], sizesPages = false } = size;
    const isList = isListType(getNullableType(field.type));
    return slicingArguments.length > 0 && (isList || sizesPages || sizedFields.length > 0);
  }
}

/** Merges two annotations. A part of `over` replaces the same part of `under`. */
function mergePrices(under: ExactPrice = {}, over: ExactPrice = {}): ExactPrice {
  const parts = PARTS.filter((part) => over[part] === undefined);
  return { ...pickParts(under, parts), ...over };
}

/** Returns the given parts of an annotation. `perElement` belongs to `cost`. */
function pickParts(price: ExactPrice, parts: readonly Part[]): ExactPrice {
  const { perElement } = price;
  return {
    ...Object.fromEntries(parts.filter((part) => price[part] !== undefined).map((part) => [part, price[part]])),
    ...(perElement !== undefined && parts.includes('cost') && { perElement }),
  };
}

const FORMS = 'Type, Type.field, Type.field(argument:) or @directive(argument:)';

/**
 * Converts an entry of an overlay to the form in which `listSize` contains all members of a list
 * size. Calls `reject` with the message of each mistake.
 */
export function priceOf(entry: OverlayEntry | number, reject: (message: string) => void): ExactPrice {
  if (typeof entry !== 'object' || entry === null) return { cost: entry };
  for (const [word, value] of Object.entries(entry)) {
    if (value === null) reject(`${word}: expected a value, got null`);
  }
  const { weight, cost = weight, perElement, listSize, maxSize, defaultSize, ...words } = entry;
  const flat = Object.entries(words).filter(([, value]) => value !== undefined && value !== null);
  if (entry.cost !== undefined && weight !== undefined)
    reject('weight and cost are synonyms: expected one of them, got both');
  if (perElement !== undefined && cost === undefined) reject('perElement: expected together with a weight');
  if (listSize !== undefined && flat.length > 0) {
    reject(`${flat.map(([name]) => name).join(', ')}: cannot be combined with listSize: write all of them in listSize`);
  }
  const size = listSize ?? (flat.length > 0 ? (Object.fromEntries(flat) as Partial<ListSize>) : undefined);
  return {
    ...(cost !== undefined && { cost }),
    ...(perElement !== undefined && perElement !== null && { perElement }),
    ...(size !== undefined && { listSize: size }),
    ...(maxSize !== undefined && { maxSize }),
    ...(defaultSize !== undefined && { defaultSize }),
  };
}

/**
 * Returns those members of a pattern's list size that apply to a field. Returns undefined if none
 * does.
 */
function fitListSize(
  listSize: Partial<ListSize>,
  field: GraphQLField<unknown, unknown>,
  schema: GraphQLSchema,
): Partial<ListSize> | undefined {
  const { assumedSize, sizedFields } = listSize;
  const named = toList(listSize.slicingArguments);
  const sized = toList(sizedFields);
  if (sized.length > 0 ? !hasFields(field, sized, schema) : !isListType(getNullableType(field.type))) return undefined;
  const slicingArguments = named.filter((path) => field.args.some(({ name }) => name === path.split('.')[0]));
  if (slicingArguments.length === 0 && (assumedSize === undefined || assumedSize === null)) return undefined;
  return { ...listSize, ...(named.length > 0 && { slicingArguments }) };
}

function hasFields(field: GraphQLField<unknown, unknown>, sized: readonly string[], schema: GraphQLSchema): boolean {
  const type = getNamedType(field.type);
  const holders = isInterfaceType(type) ? [type, ...schema.getPossibleTypes(type)] : [type];
  const fields = readSizedFields(sized);
  return [...fields, ...fields.below.keys()].every((name) =>
    holders.some((holder) => (isObjectType(holder) || isInterfaceType(holder)) && name in holder.getFields()),
  );
}

/**
 * Converts a single name to a list, as GraphQL does for the arguments of directives. Ignores
 * invalid values, which are reported when the annotations are read.
 */
function toList(value: unknown): readonly string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each) => typeof each === 'string');
}
