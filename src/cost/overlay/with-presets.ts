import { type GraphQLSchema, getNullableType, isInterfaceType, isListType } from 'graphql';
import type { ExactPrice } from '../annotations/cost-overlay.js';
import { COST_PRESETS, type CostPreset, type PresetEntries } from '../settings/cost-presets.js';
import { createPattern, matches, type Pattern } from './create-pattern.js';
import { type PricedElement, pricedElements } from './priced-elements.js';

/**
 * Adds the sizes of presets to lists that have no `defaultSize` in the overlay or the schema. If
 * several entries match a list, the one whose key has the most characters applies. If two keys have
 * the same number, the later one applies.
 */
export function withPresets(
  schema: GraphQLSchema,
  prices: Readonly<Record<string, ExactPrice>>,
  presets: readonly CostPreset[],
): Readonly<Record<string, ExactPrice>> {
  const entries = Object.entries<PresetEntries[string]>(
    Object.assign({}, ...presets.map((name) => COST_PRESETS[name])),
  );
  const patterns = entries
    .flatMap(([key, { defaultSize }]): (Pattern & { defaultSize: number })[] => {
      const pattern = createPattern(key);
      return pattern === undefined ? [] : [{ ...pattern, defaultSize }];
    })
    // The sort is stable, so the later of equally long entries comes first.
    .reverse()
    .sort((one, other) => other.letters - one.letters);
  // The object has no prototype, because a coordinate in `prices` may be `__proto__`.
  const all: Record<string, ExactPrice> = Object.assign(Object.create(null), prices);
  for (const element of pricedElements(schema)) {
    const { coordinate, field } = element;
    if (field === undefined || !isListType(getNullableType(field.type))) continue;
    if (all[coordinate]?.defaultSize !== undefined || hasOwnDefault(schema, element)) continue;
    const pattern = patterns.find((each) => matches(each, element));
    if (pattern !== undefined) all[coordinate] = { ...all[coordinate], defaultSize: pattern.defaultSize };
  }
  return all;
}

/**
 * Returns whether the `extensions` of a field, or of the same field of an interface, have a
 * `defaultSize`.
 */
function hasOwnDefault(schema: GraphQLSchema, { field, elsewhere }: PricedElement): boolean {
  const inherited = elsewhere.map((coordinate) => {
    const [owner = '', name = ''] = coordinate.split('.');
    const type = schema.getType(owner);
    return isInterfaceType(type) ? type.getFields()[name] : undefined;
  });
  return [field, ...inherited].some((each) => each?.extensions['defaultSize'] !== undefined);
}
