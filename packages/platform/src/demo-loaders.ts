import DataLoader from 'dataloader';
import type { CountryRecord, CurrencyRecord, LanguageRecord, PlaceRecord, World } from './world.js';

/**
 * The loaders of one request. Each record is read only once, and all records of one level of a
 * query are read together.
 */
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

/**
 * Loads the referenced records. No record is missing, because `loadWorld` has checked all
 * references.
 */
export async function loadEach<T>(loader: RecordLoader<T>, keys: readonly string[]): Promise<T[]> {
  const records = await Promise.all(keys.map((key) => loader.load(key)));
  return records.filter((record) => record !== null);
}
