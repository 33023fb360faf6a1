import { type GraphQLSchema, getNullableType, isListType } from 'graphql';
import type { ExactPrice } from '../annotations.js';
import { COST_PRESETS, type CostPreset, type PresetEntries } from './cost-presets.js';
import { createPattern, matches, type Pattern } from './overlay-pattern.js';
import { pricedElements } from './priced-elements.js';

/**
 * Returns the prices with the sizes of presets, where neither they nor the schema give the same list a `defaultSize`. Of the
 * entries that fit a list, the one with more letters counts; of equally long ones that of the later preset.
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
    .sort((one, other) => other.letters - one.letters);
  // Without a prototype, as those of the overlay.
  const all: Record<string, ExactPrice> = Object.assign(Object.create(null), prices);
  for (const element of pricedElements(schema)) {
    const { coordinate, field } = element;
    if (field === undefined || !isListType(getNullableType(field.type))) continue;
    if (all[coordinate]?.defaultSize !== undefined || field.extensions['defaultSize'] !== undefined) continue;
    const pattern = patterns.find((each) => matches(each, element));
    if (pattern !== undefined) all[coordinate] = { ...all[coordinate], defaultSize: pattern.defaultSize };
  }
  return all;
}
