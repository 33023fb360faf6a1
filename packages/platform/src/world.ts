import { createRequire } from 'node:module';
import type { Country as SourceCountry } from 'world-countries';

/**
 * The data of the npm package `world-countries` (Mohammed Le Doze and contributors, ODbL-1.0). The
 * records refer to each other by code, like rows of a database. All lists are ordered by English
 * name.
 */
export interface World {
  readonly countries: readonly CountryRecord[];
  readonly regions: readonly RegionRecord[];
  readonly subregions: readonly SubregionRecord[];
  readonly languages: readonly LanguageRecord[];
  readonly currencies: readonly CurrencyRecord[];
  /**
   * Reads many records at once, in the requested order, with null for an unknown code, as a
   * DataLoader requires.
   */
  findCountries(codes: readonly string[]): (CountryRecord | null)[];
  findPlaces(ids: readonly string[]): (PlaceRecord | null)[];
  findLanguages(codes: readonly string[]): (LanguageRecord | null)[];
  findCurrencies(codes: readonly string[]): (CurrencyRecord | null)[];
}

/** A country. `__typename` determines which member of `Place` or `SearchResult` a record is. */
export interface CountryRecord {
  __typename: 'Country';
  /** Code of ISO 3166-1 alpha-3. */
  id: string;
  /** Code of ISO 3166-1 alpha-2. */
  shortCode: string;
  name: string;
  officialName: string;
  alternativeNames: readonly string[];
  translations: readonly TranslationRecord[];
  capitals: readonly string[];
  topLevelDomains: readonly string[];
  regionId: string;
  subregionId: string | null;
  languageCodes: readonly string[];
  currencyCodes: readonly string[];
  borderCodes: readonly string[];
  areaKm2: number | null;
  location: { latitude: number; longitude: number };
  landlocked: boolean;
  independent: boolean | null;
  unMember: boolean;
  flag: string;
}

interface TranslationRecord {
  language: string;
  name: string;
  officialName: string;
}

/** Members that regions and subregions share. */
interface Part {
  id: string;
  name: string;
  areaKm2: number;
  countryCodes: readonly string[];
  languageCodes: readonly string[];
}

export interface RegionRecord extends Part {
  __typename: 'Region';
  subregionIds: readonly string[];
}

export interface SubregionRecord extends Part {
  __typename: 'Subregion';
  regionId: string;
}

export type PlaceRecord = CountryRecord | RegionRecord | SubregionRecord;

export interface LanguageRecord {
  __typename: 'Language';
  code: string;
  name: string;
  countryCodes: readonly string[];
}

export interface CurrencyRecord {
  __typename: 'Currency';
  code: string;
  name: string;
  symbol: string;
  countryCodes: readonly string[];
}

let world: World | undefined;

/** Returns the world. The first call reads it, which takes about 10 ms, once per process. */
export function loadWorld(): World {
  world ??= createWorld(createRequire(import.meta.url)('world-countries/countries.json'));
  return world;
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, 'en');

function createWorld(sources: readonly SourceCountry[]): World {
  const sorted = [...sources].sort((a, b) => a.name.common.localeCompare(b.name.common, 'en'));
  const languages = collectLanguages(sorted);
  const currencies = collectCurrencies(sorted);
  const rankOf = {
    country: rank(sorted.map((source) => source.cca3)),
    language: rank(languages.map((language) => language.code)),
    currency: rank(currencies.map((currency) => currency.code)),
  };
  const countries = sorted.map((source) => toCountry(source, rankOf));
  const subregions = partsOf(countries, sorted, 'subregion', rankOf.language).map(
    (part): SubregionRecord => ({
      __typename: 'Subregion',
      regionId: countries.find((country) => country.subregionId === part.id)!.regionId,
      ...part,
    }),
  );
  const regions = partsOf(countries, sorted, 'region', rankOf.language).map(
    (part): RegionRecord => ({
      __typename: 'Region',
      subregionIds: subregions.filter((subregion) => subregion.regionId === part.id).map(({ id }) => id),
      ...part,
    }),
  );

  const places = new Map<string, PlaceRecord>(
    [...countries, ...regions, ...subregions].map((place) => [place.id, place]),
  );
  const countryByCode = new Map(
    countries.flatMap((country) => [[country.id, country] as const, [country.shortCode, country] as const]),
  );
  const languageByCode = new Map(languages.map((language) => [language.code, language]));
  const currencyByCode = new Map(currencies.map((currency) => [currency.code, currency]));
  return {
    countries,
    regions,
    subregions,
    languages,
    currencies,
    findCountries: finderIn(countryByCode),
    findPlaces: finderIn(places),
    findLanguages: finderIn(languageByCode),
    findCurrencies: finderIn(currencyByCode),
  };
}

function finderIn<T>(records: ReadonlyMap<string, T>): (keys: readonly string[]) => (T | null)[] {
  return (keys) => keys.map((key) => records.get(key) ?? null);
}

type Rank = (codes: Iterable<string>) => string[];

/**
 * Creates a function that sorts codes by their position in `order`. An unknown code throws
 * immediately, because it is a gap in the data.
 */
function rank(order: readonly string[]): Rank {
  const positions = new Map(order.map((code, position) => [code, position]));
  const position = (code: string) => {
    const found = positions.get(code);
    if (found === undefined) throw new Error(`world-countries: no record for ${code}`);
    return found;
  };
  return (codes) => [...codes].sort((a, b) => position(a) - position(b));
}

function toCountry(source: SourceCountry, rankOf: Record<'country' | 'language' | 'currency', Rank>): CountryRecord {
  return {
    __typename: 'Country',
    id: source.cca3,
    shortCode: source.cca2,
    name: source.name.common,
    officialName: source.name.official,
    alternativeNames: source.altSpellings,
    translations: Object.entries(source.translations).map(([language, { common, official }]) => ({
      language,
      name: common,
      officialName: official,
    })),
    capitals: source.capital,
    topLevelDomains: source.tld,
    regionId: slug(source.region),
    subregionId: source.subregion === '' ? null : slug(source.subregion),
    languageCodes: rankOf.language(Object.keys(source.languages)),
    currencyCodes: rankOf.currency(Object.keys(source.currencies)),
    borderCodes: rankOf.country(source.borders),
    areaKm2: source.area > 0 ? source.area : null, // -1 means unknown
    location: { latitude: source.latlng[0], longitude: source.latlng[1] },
    landlocked: source.landlocked,
    independent: source.independent, // null for Kosovo, although the package's type excludes it
    unMember: source.unMember,
    flag: source.flag,
  };
}

/**
 * Returns the regions or subregions of the countries, with the combined data of their countries.
 */
function partsOf(
  countries: readonly CountryRecord[],
  sources: readonly SourceCountry[],
  level: 'region' | 'subregion',
  rankLanguages: Rank,
): Part[] {
  const names = new Set(sources.map((source) => source[level]).filter((name) => name !== ''));
  return [...names]
    .map((name) => {
      const id = slug(name);
      const members = countries.filter((country) => country[`${level}Id`] === id);
      return {
        id,
        name,
        areaKm2: members.reduce((sum, country) => sum + (country.areaKm2 ?? 0), 0),
        countryCodes: members.map((country) => country.id),
        languageCodes: rankLanguages(new Set(members.flatMap((country) => country.languageCodes))),
      };
    })
    .sort(byName);
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

function collectLanguages(sources: readonly SourceCountry[]): LanguageRecord[] {
  const languages = collect(sources, (source) => Object.entries(source.languages));
  return languages
    .map(
      ({ code, value, countryCodes }): LanguageRecord => ({ __typename: 'Language', code, name: value, countryCodes }),
    )
    .sort(byName);
}

function collectCurrencies(sources: readonly SourceCountry[]): CurrencyRecord[] {
  const currencies = collect(sources, (source) => Object.entries(source.currencies));
  return currencies
    .map(({ code, value, countryCodes }): CurrencyRecord => ({ __typename: 'Currency', code, ...value, countryCodes }))
    .sort(byName);
}

/**
 * Collects the entries of all countries by code. Countries spell a few of them differently
 * ("British pound", "Pound sterling"). The most frequent spelling is used. If several spellings are
 * equally frequent, the last one is used.
 */
function collect<T>(
  sources: readonly SourceCountry[],
  entriesOf: (source: SourceCountry) => [string, T][],
): { code: string; value: T; countryCodes: string[] }[] {
  interface Entry {
    countryCodes: string[];
    spellings: Map<string, { value: T; count: number }>;
  }
  const found = new Map<string, Entry>();
  for (const source of sources) {
    for (const [code, value] of entriesOf(source)) {
      const entry: Entry = found.get(code) ?? { countryCodes: [], spellings: new Map() };
      found.set(code, entry);
      entry.countryCodes.push(source.cca3);
      const spelling = JSON.stringify(value);
      entry.spellings.set(spelling, { value, count: (entry.spellings.get(spelling)?.count ?? 0) + 1 });
    }
  }
  return [...found].map(([code, { countryCodes, spellings }]) => {
    const { value } = [...spellings.values()].reduce((best, next) => (next.count >= best.count ? next : best));
    return { code, value, countryCodes };
  });
}
