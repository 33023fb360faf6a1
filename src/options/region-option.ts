import { DEFAULT_FLOOR, REGION_MODES, type RegionOptions } from '../model/region-mode.js';
import { describeValue } from './describe-value.js';
import { findMistakes, type OptionCheck, type OptionTable } from './find-mistakes.js';
import { didYouMean } from './nearest-name.js';
import { anything, oneOf, recordOf, required, text, wholeNumber } from './option-kinds.js';

/** Longest name of a region. */
const MAX_NAME = 32;
const MAX_REGIONS = 100;

const REGION: OptionTable<RegionOptions> = {
  name: required(text),
  shares: required(recordOf(wholeNumber(0, 100))),
  tierMode: oneOf(...REGION_MODES),
  // The limiter checks the clients and URLs, which this folder does not know.
  redis: recordOf(anything),
  floor: wholeNumber(1, 50),
  exchangeMs: wholeNumber(200, 60_000),
};

/** Check of the region of a server and of the shares of all regions. */
export const regionOption: OptionCheck<RegionOptions> = {
  members: REGION,
  *find(value, place) {
    const mistakes = [...findMistakes(value, REGION, { place })];
    yield* mistakes;
    if (mistakes.length > 0) return;
    const { name, shares, redis, floor = DEFAULT_FLOOR } = value as RegionOptions;
    yield* findShareMistakes(shares, `${place}.shares`);
    yield* findNameMistake(name, shares, `${place}.name`, 'shares');
    if (redis !== undefined) {
      const places = { shares: `${place}.shares`, redisOf: (region: string) => `${place}.redis.${region}` };
      yield* findMovingMistakes({ name, shares, floor }, Object.keys(redis), places);
    }
  },
};

/** Yields the mistakes in the options of regions that move their shares. */
export function* findMovingMistakes(
  { name, shares, floor }: Required<Pick<RegionOptions, 'name' | 'shares' | 'floor'>>,
  given: readonly string[],
  places: { readonly shares: string; redisOf(region: string): string },
): Iterable<string> {
  for (const region of given) {
    if (region === name) yield `${places.redisOf(region)}: expected the Redis of another region: remove it`;
    else if (!Object.hasOwn(shares, region)) {
      yield `${places.redisOf(region)}: expected a region of shares${didYouMean(region, Object.keys(shares))}`;
    }
  }
  for (const [region, share] of Object.entries(shares)) {
    if (region !== name && !given.includes(region)) {
      yield `${places.redisOf(region)}: required, because the other regions move their shares`;
    }
    if (share < floor) {
      yield `${places.shares}: expected at least the floor of ${floor} percent for each region, got ${region}=${share}`;
    }
  }
}

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
