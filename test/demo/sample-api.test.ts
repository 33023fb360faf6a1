import { type ExecutionResult, graphql } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import { createDemoLoaders } from '../../packages/platform/src/demo-loaders.js';
import type { DemoContext } from '../../packages/platform/src/demo-resolvers.js';
import { loadWorld } from '../../packages/platform/src/world.js';
import { createDemoSchema } from '../helpers/demo-schema.js';

let schema = createDemoSchema();
beforeEach(() => {
  schema = createDemoSchema();
});

/** Returns the data of an operation that must have no errors. */
async function query<T>(source: string, variableValues: Record<string, unknown> = {}): Promise<T> {
  const result = await run(source, variableValues);
  expect(result.errors).toBeUndefined();
  return structuredClone(result.data) as T;
}

function run(
  source: string,
  variableValues = {},
  contextValue: DemoContext = createDemoContext(),
): Promise<ExecutionResult> {
  return graphql({ schema, source, variableValues, contextValue });
}

describe('the data of the sample API', () => {
  test('the sample API has 250 countries, 6 regions and all facts about Sweden', async () => {
    const { countries, regions } = await query<{ countries: unknown[]; regions: { name: string }[] }>(
      '{ countries(first: 250) { name } regions { name } }',
    );
    expect(countries).toHaveLength(250);
    expect(regions.map((region) => region.name)).toEqual([
      'Africa',
      'Americas',
      'Antarctic',
      'Asia',
      'Europe',
      'Oceania',
    ]);

    const { country } = await query<{ country: unknown }>(`{
      country(code: "se") {
        id code shortCode name officialName capitals topLevelDomains areaKm2 landlocked independent unMember flag
        location { latitude longitude }
        region { id name } subregion { id name region { name } }
        languages { code name } currencies { code name symbol } borders { name }
      }
    }`);
    expect(country).toEqual({
      id: 'SWE',
      code: 'SWE',
      shortCode: 'SE',
      name: 'Sweden',
      officialName: 'Kingdom of Sweden',
      capitals: ['Stockholm'],
      topLevelDomains: ['.se'],
      areaKm2: 450295,
      landlocked: false,
      independent: true,
      unMember: true,
      flag: '🇸🇪',
      location: { latitude: 62, longitude: 15 },
      region: { id: 'europe', name: 'Europe' },
      subregion: { id: 'northern-europe', name: 'Northern Europe', region: { name: 'Europe' } },
      languages: [{ code: 'swe', name: 'Swedish' }],
      currencies: [{ code: 'SEK', name: 'Swedish krona', symbol: 'kr' }],
      borders: [{ name: 'Finland' }, { name: 'Norway' }],
    });
  });

  test('a currency or language has the most frequent of its spellings', async () => {
    expect(
      await query('{ pound: currency(code: "gbp") { name countryCount } romanian: language(code: "ron") { name } }'),
    ).toEqual({
      pound: { name: 'British pound', countryCount: 6 },
      romanian: { name: 'Romanian' },
    });
  });

  test('every country counts once in its region, and in its subregion if it has one', async () => {
    const { regions } = await query<{ regions: { countryCount: number; subregions: { countryCount: number }[] }[] }>(
      '{ regions { countryCount subregions { countryCount } } }',
    );
    const sum = (counts: { countryCount: number }[]) =>
      counts.reduce((total, { countryCount }) => total + countryCount, 0);
    expect(sum(regions)).toBe(250);
    expect(sum(regions.flatMap((region) => region.subregions))).toBe(245); // the Antarctic has no subregions
  });

  test('unknown codes and missing values are null', async () => {
    expect(
      await query(
        '{ country(code: "XX") { name } language(code: "xx") { name } currency(code: "XX") { name } sj: country(code: "SJ") { areaKm2 } aq: country(code: "AQ") { subregion { name } } }',
      ),
    ).toEqual({ country: null, language: null, currency: null, sj: { areaKm2: null }, aq: { subregion: null } });
  });
});

describe('lists of the sample API', () => {
  test('nested borders can be followed to any depth', async () => {
    const { country } = await query<{
      country: { borders: { name: string; borders: { borders: { name: string }[] }[] }[] };
    }>('{ country(code: "PRT") { borders { name borders { borders { name } } } } }');
    expect(country.borders.map((border) => border.name)).toEqual(['Spain']);
    const thirdLevel = country.borders.flatMap((border) => border.borders.flatMap((second) => second.borders));
    expect(thirdLevel.map((border) => border.name)).toContain('Spain');
  });

  test('a list has the length of `first`, including zero, and the default length for null', async () => {
    const { none, one, byDefault } = await query<Record<string, unknown[]>>(
      'query ($n: Int) { none: countries(first: 0) { id } one: countries(first: 1) { name } byDefault: countries(first: $n) { id } }',
      { n: null },
    );
    expect(none).toEqual([]);
    expect(one).toEqual([{ name: 'Afghanistan' }]);
    expect(byDefault).toHaveLength(20);
  });

  test.each([-1, 251])('`first: %d` is rejected with the valid range', async (first) => {
    const { errors, data } = await run('query ($first: Int) { countries(first: $first) { id } }', { first });
    expect(data).toBeNull();
    expect(errors?.[0]?.message).toBe(`first: expected 0 to 250, got ${first}`);
    expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });

  test('places are returned in the order of the requested ids, each as its own type', async () => {
    const { places } = await query<{ places: unknown[] }>(
      '{ places(ids: ["caribbean", "SWE", "atlantis", "oceania"]) { __typename name ... on Country { capitals } ... on Region { countryCount } } }',
    );
    expect(places).toEqual([
      { __typename: 'Subregion', name: 'Caribbean' },
      { __typename: 'Country', name: 'Sweden', capitals: ['Stockholm'] },
      null,
      { __typename: 'Region', name: 'Oceania', countryCount: 27 },
    ]);
  });
});

describe('the connection of countries', () => {
  interface Page {
    countriesConnection: {
      totalCount: number;
      edges: { cursor: string; node: { id: string } }[];
      nodes: { id: string }[];
      pageInfo: {
        hasNextPage: boolean;
        hasPreviousPage: boolean;
        startCursor: string | null;
        endCursor: string | null;
      };
    };
  }
  const PAGE = `query ($first: Int, $after: String, $place: ID) {
    countriesConnection(first: $first, after: $after, place: $place) {
      totalCount edges { cursor node { id } } nodes { id }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;

  test.each([
    { first: 7 },
    { first: 50 },
    { first: 250 },
    { first: 3, place: 'northern-europe' },
  ])('the pages of the connection contain every country once, in order: %o', async (variables) => {
    const seen: string[] = [];
    let after: string | null = null;
    let total: number;
    do {
      const { countriesConnection: page }: Page = await query<Page>(PAGE, { ...variables, after });
      expect(page.nodes).toEqual(page.edges.map((edge) => edge.node));
      expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
      expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor);
      seen.push(...page.nodes.map((node) => node.id));
      total = page.totalCount;
      after = page.pageInfo.endCursor;
      if (!page.pageInfo.hasNextPage) break;
    } while (seen.length <= 250);
    const all = loadWorld().countries.filter((country) => !variables.place || country.subregionId === variables.place);
    expect(seen).toEqual(all.map((country) => country.id));
    expect(total).toBe(all.length);
  });

  test('a cursor of another selection continues at the right place', async () => {
    const { countriesConnection: all } = await query<Page>(PAGE, { first: 250 });
    const afterGermany = all.edges.find((edge) => edge.node.id === 'DEU')?.cursor;
    const { countriesConnection: page } = await query<Page>(PAGE, {
      first: 2,
      after: afterGermany,
      place: 'northern-europe',
    });
    expect(page.nodes.map((node) => node.id)).toEqual(['GGY', 'ISL']);
  });

  test('the connection rejects a cursor that it did not create', async () => {
    for (const after of ['', 'nonsense', Buffer.from('country:XXX').toString('base64url')]) {
      const { errors } = await run(PAGE, { after });
      expect(errors?.[0]?.message).toBe(`after: expected a cursor of this connection, got "${after}"`);
    }
  });

  test('the connection rejects a place that has no countries', async () => {
    for (const place of ['SWE', 'atlantis', '']) {
      const { errors } = await run(PAGE, { place });
      expect(errors?.[0]?.message).toBe(`place: expected the id of a region or subregion, got "${place}"`);
    }
  });
});

describe('the search of the sample API', () => {
  const SEARCH = `query ($text: String!, $first: Int, $language: ID) {
    search(text: $text, first: $first, language: $language) {
      __typename
      ... on Place { id name }
      ... on Language { code languageName: name }
      ... on Currency { code currencyName: name }
    }
  }`;

  test('a search finds members of every type of its union, closest first', async () => {
    const { search } = await query<{ search: { __typename: string }[] }>(SEARCH, { text: 'swe' });
    expect(search).toEqual([
      { __typename: 'Country', id: 'SWE', name: 'Sweden' },
      { __typename: 'Language', code: 'swe', languageName: 'Swedish' },
      { __typename: 'Currency', code: 'SEK', currencyName: 'Swedish krona' },
    ]);
    const found = await query<{ search: { __typename: string }[] }>(SEARCH, { text: 'an', first: 250 });
    expect(new Set(found.search.map((result) => result.__typename))).toEqual(
      new Set(['Country', 'Region', 'Subregion', 'Language', 'Currency']),
    );
  });

  test('a search ignores case and accents and finds nothing for an unknown name', async () => {
    const { search } = await query<{ search: unknown[] }>(SEARCH, { text: 'CURAÇAO', first: 1 });
    expect(await query(SEARCH, { text: 'curacao', first: 1 })).toEqual({ search });
    expect(search).toHaveLength(1);
    expect(await query(SEARCH, { text: 'constructor' })).toEqual({ search: [] });
  });

  test('a search finds a country by its name in another language only with the language argument', async () => {
    expect(await query(SEARCH, { text: 'schweden' })).toEqual({ search: [] });
    expect(await query(SEARCH, { text: 'schweden', language: 'deu' })).toEqual({
      search: [{ __typename: 'Country', id: 'SWE', name: 'Sweden' }],
    });
  });

  test('a search rejects texts of one character and unknown languages', async () => {
    expect((await run(SEARCH, { text: ' a ' })).errors?.[0]?.message).toBe('text: expected 2 to 100 characters, got 1');
    expect((await run(SEARCH, { text: 'ab', language: 'tlh' })).errors?.[0]?.message).toContain(
      'expected one of ara, ces',
    );
  });
});

describe('notes of the sample API', () => {
  const SAVE = `mutation ($place: ID!, $text: String!) {
    noteSave(input: { place: $place, text: $text }) { note { id text place { __typename name } } }
  }`;

  test('notes about places of any type are stored and returned newest first', async () => {
    await query(SAVE, { place: 'SWE', text: '  Midsummer ' });
    expect(await query(SAVE, { place: 'europe', text: 'By train' })).toEqual({
      noteSave: { note: { id: '2', text: 'By train', place: { __typename: 'Region', name: 'Europe' } } },
    });
    expect(
      await query('{ notes { text place { name } } latest: notes(first: 1) { id } none: notes(first: 0) { id } }'),
    ).toEqual({
      notes: [
        { text: 'By train', place: { name: 'Europe' } },
        { text: 'Midsummer', place: { name: 'Sweden' } },
      ],
      latest: [{ id: '2' }],
      none: [],
    });
  });

  test('a note about an unknown place or without text is rejected', async () => {
    expect((await run(SAVE, { place: 'atlantis', text: 'Wet' })).errors?.[0]?.message).toBe(
      'place: expected the id of a place, got "atlantis"',
    );
    expect((await run(SAVE, { place: 'SWE', text: '  ' })).errors?.[0]?.message).toBe(
      'text: expected 1 to 500 characters, got 0',
    );
    expect(await query('{ notes { id } }')).toEqual({ notes: [] });
  });
});

describe('loaders of the sample API', () => {
  test('the loaders read each level of a query in one batch and no record twice', async () => {
    const world = loadWorld();
    const reads: { kind: string; keys: readonly string[] }[] = [];
    const recorded =
      <T>(kind: string, find: (keys: readonly string[]) => T[]) =>
      (keys: readonly string[]) => {
        reads.push({ kind, keys });
        return find(keys);
      };
    const loaders = createDemoLoaders({
      findCountries: recorded('countries', world.findCountries),
      findPlaces: recorded('places', world.findPlaces),
      findLanguages: recorded('languages', world.findLanguages),
      findCurrencies: recorded('currencies', world.findCurrencies),
    });
    const { errors } = await run(
      '{ countries(first: 250) { region { name } languages { name } currencies { name } borders { borders { borders { name } } } } }',
      {},
      { loaders },
    );
    expect(errors).toBeUndefined();
    expect(reads.map((read) => read.kind).sort()).toEqual(['countries', 'currencies', 'languages', 'places']);
    for (const { keys } of reads) expect(new Set(keys).size).toBe(keys.length);
  });

  test('each request has its own loaders', () => {
    expect(createDemoContext().loaders.country).not.toBe(createDemoContext().loaders.country);
  });
});
