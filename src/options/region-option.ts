import { REGION_MODES, type RegionOptions } from '../model/region-mode.js';
import { describeValue } from './describe-value.js';
import { findMistakes, type OptionCheck, type OptionTable } from './find-mistakes.js';
import { didYouMean } from './nearest-name.js';
import { oneOf, recordOf, required, text, wholeNumber } from './option-kinds.js';

/** Longest name of a region. */
const MAX_NAME = 32;
const MAX_REGIONS = 100;

const REGION: OptionTable<RegionOptions> = {
  name: required(text),
  shares: required(recordOf(wholeNumber(0, 100))),
  tierMode: oneOf(...REGION_MODES),
};

/** Check of the region of a server and of the shares of all regions. */
export const regionOption: OptionCheck<RegionOptions> = {
  members: REGION,
  *find(value, place) {
    const mistakes = [...findMistakes(value, REGION, { place })];
    yield* mistakes;
    if (mistakes.length > 0) return;
    const { name, shares } = value as RegionOptions;
    yield* findShareMistakes(shares, `${place}.shares`);
    yield* findNameMistake(name, shares, `${place}.name`, 'shares');
  },
};

/** Yields the mistakes in the shares of all regions, which are whole numbers. */
export function* findShareMistakes(shares: RegionOptions['shares'], place: string): Iterable<string> {
  const names = Object.keys(shares);
  for (const name of names) {
    if (isRegionName(name)) continue;
    yield `${place}: expected names of lower-case letters, digits, _ and -, at most ${MAX_NAME}, got ${describeValue(name)}`;
  }
  if (names.length > MAX_REGIONS) yield `${place}: expected at most ${MAX_REGIONS} regions, got ${names.length}`;
  const sum = Object.values(shares).reduce((all, share) => all + share, 0);
  if (sum !== 100) {
    const given = Object.entries(shares).map(([name, share]) => `${name}=${share}`);
    yield `${place}: expected shares that sum to 100, got ${sum} (${given.join(', ')})`;
  }
}

/** Yields a mistake if a region has no share. `other` is the option or setting with the shares. */
export function* findNameMistake(
  name: string,
  shares: RegionOptions['shares'],
  place: string,
  other: string,
): Iterable<string> {
  if (Object.hasOwn(shares, name)) return;
  const names = Object.keys(shares);
  yield `${place}: expected a region of ${other} (${names.join(', ')}), got ${describeValue(name)}${didYouMean(name, names)}`;
}

function isRegionName(name: string): boolean {
  return name.length <= MAX_NAME && /^[a-z0-9][a-z0-9_-]*$/.test(name);
}
