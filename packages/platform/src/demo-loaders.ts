import DataLoader from 'dataloader';
import type { CountryRecord, CurrencyRecord, LanguageRecord, PlaceRecord, World } from './world.js';

/** One request's look-ups: each record is read once, and all of one level of a query in one read. */
export interface DemoLoaders {
  country: RecordLoader<CountryRecord>;
  place: RecordLoader<PlaceRecord>;
  language: RecordLoader<LanguageRecord>;
  currency: RecordLoader<CurrencyRecord>;
}

type RecordLoader<T> = DataLoader<string, T | null>;

export function createDemoLoaders(
  world: Pick<World, 'findCountries' | 'findPlaces' | 'findLanguages' | 'findCurrencies'>,
): DemoLoaders {
  return {
    country: new DataLoader(async (codes) => world.findCountries(codes)),
    place: new DataLoader(async (ids) => world.findPlaces(ids)),
    language: new DataLoader(async (codes) => world.findLanguages(codes)),
    currency: new DataLoader(async (codes) => world.findCurrencies(codes)),
  };
}

/** The records of references. `loadWorld` has checked them, so that none is missing. */
export async function loadEach<T>(loader: RecordLoader<T>, keys: readonly string[]): Promise<T[]> {
  const records = await Promise.all(keys.map((key) => loader.load(key)));
  return records.filter((record) => record !== null);
}
