import { badInput, codeOfCursor, countryPage, MAX_PAGE_SIZE, pageSize } from './country-page.js';
import { type DemoLoaders, loadEach } from './demo-loaders.js';
import type { NoteBook, NoteRecord } from './note-book.js';
import type { Search } from './search-world.js';
import type {
  CountryRecord,
  CurrencyRecord,
  LanguageRecord,
  PlaceRecord,
  RegionRecord,
  SubregionRecord,
  World,
} from './world.js';

/** Context that the resolvers need. */
export interface DemoContext {
  loaders: DemoLoaders;
}

interface DemoSources {
  world: World;
  notes: NoteBook;
  search: Search;
}

interface FirstArgs {
  first?: number | null;
}

/**
 * Creates the resolvers of `schema/demo.graphql`. Fields whose value is a member of the record need
 * no resolver.
 */
export function createDemoResolvers({ world, notes, search }: DemoSources) {
  return {
    Query: {
      country: (_: unknown, { code }: { code: string }, { loaders }: DemoContext) =>
        loaders.country.load(code.toUpperCase()),
      countries: (_: unknown, { first }: FirstArgs) => world.countries.slice(0, pageSize(first, 20)),
      countriesConnection: async (_: unknown, args: CountriesConnectionArgs, { loaders }: DemoContext) => {
        const place = args.place == null ? undefined : await loaders.place.load(args.place);
        if (place === null || place?.__typename === 'Country') {
          throw badInput(`place: expected the id of a region or subregion, got ${JSON.stringify(args.place)}`);
        }
        const after = args.after == null ? undefined : await loaders.country.load(codeOfCursor(args.after));
        if (after === null)
          throw badInput(`after: expected a cursor of this connection, got ${JSON.stringify(args.after)}`);
        const countries = place ? await loadEach(loaders.country, place.countryCodes) : world.countries;
        return countryPage(countries, { size: pageSize(args.first, 20), after });
      },
      regions: () => world.regions,
      places: (_: unknown, { ids }: { ids: string[] }, { loaders }: DemoContext) => {
        if (ids.length > MAX_PAGE_SIZE) throw badInput(`ids: expected at most ${MAX_PAGE_SIZE}, got ${ids.length}`);
        return ids.map((id) => loaders.place.load(id));
      },
      language: (_: unknown, { code }: { code: string }, { loaders }: DemoContext) =>
        loaders.language.load(code.toLowerCase()),
      languages: (_: unknown, { first }: FirstArgs) => world.languages.slice(0, pageSize(first, 20)),
      currency: (_: unknown, { code }: { code: string }, { loaders }: DemoContext) =>
        loaders.currency.load(code.toUpperCase()),
      currencies: (_: unknown, { first }: FirstArgs) => world.currencies.slice(0, pageSize(first, 20)),
      search: (_: unknown, { text, first, language }: FirstArgs & { text: string; language?: string | null }) =>
        search({ text, size: pageSize(first, 10), language }),
      notes: (_: unknown, { first }: FirstArgs) => notes.latest(pageSize(first, 20)),
    },

    Mutation: {
      noteSave: async (_: unknown, { input }: { input: { place: string; text: string } }, { loaders }: DemoContext) => {
        const place = await loaders.place.load(input.place);
        if (!place) throw badInput(`place: expected the id of a place, got ${JSON.stringify(input.place)}`);
        return { note: notes.save({ placeId: place.id, text: input.text }) };
      },
    },

    Subscription: {
      noteSaved: {
        subscribe: async (_: unknown, { place }: { place?: string | null }, { loaders }: DemoContext) => {
          const about = place == null ? undefined : await loaders.place.load(place);
          if (about === null) throw badInput(`place: expected the id of a place, got ${JSON.stringify(place)}`);
          return notes.feed(about?.id);
        },
        resolve: (note: NoteRecord) => note,
      },
    },

    Country: {
      code: (country: CountryRecord) => country.id,
      region: (country: CountryRecord, _: unknown, { loaders }: DemoContext) => loaders.place.load(country.regionId),
      subregion: ({ subregionId }: CountryRecord, _: unknown, { loaders }: DemoContext) =>
        subregionId === null ? null : loaders.place.load(subregionId),
      languages: languagesOf,
      currencies: (country: CountryRecord, _: unknown, { loaders }: DemoContext) =>
        loadEach(loaders.currency, country.currencyCodes),
      borders: (country: CountryRecord, _: unknown, { loaders }: DemoContext) =>
        loadEach(loaders.country, country.borderCodes),
    },

    Region: {
      languages: languagesOf,
      subregions: (region: RegionRecord, _: unknown, { loaders }: DemoContext) =>
        loadEach(loaders.place, region.subregionIds),
      countryCount,
      countries: countriesOf,
    },

    Subregion: {
      languages: languagesOf,
      region: (subregion: SubregionRecord, _: unknown, { loaders }: DemoContext) =>
        loaders.place.load(subregion.regionId),
      countryCount,
      countries: countriesOf,
    },

    Language: { countryCount, countries: countriesOf },
    Currency: { countryCount, countries: countriesOf },

    Note: {
      place: (note: NoteRecord, _: unknown, { loaders }: DemoContext) => loaders.place.load(note.placeId),
    },
  };
}

interface CountriesConnectionArgs extends FirstArgs {
  after?: string | null;
  place?: string | null;
}

type WithCountries = RegionRecord | SubregionRecord | LanguageRecord | CurrencyRecord;

function countriesOf(parent: WithCountries, { first }: FirstArgs, { loaders }: DemoContext): Promise<CountryRecord[]> {
  return loadEach(loaders.country, parent.countryCodes.slice(0, pageSize(first, 20)));
}

function countryCount(parent: WithCountries): number {
  return parent.countryCodes.length;
}

function languagesOf(place: PlaceRecord, _: unknown, { loaders }: DemoContext): Promise<LanguageRecord[]> {
  return loadEach(loaders.language, place.languageCodes);
}
