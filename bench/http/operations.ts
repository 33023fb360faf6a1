import { loadWorld } from '../../packages/platform/src/world.js';

/** An operation of the sample API, with different variables on every call. */
export interface BenchOperation {
  query: string;
  variables(call: number): Record<string, unknown>;
}

const CODES = loadWorld().countries.map((country) => country.id);

const PAGE = `query CountryPage($code: ID!) {
  country(code: $code) {
    ...CountryHeader
    ...CountryFacts
    ...CountryPlace
    ...CountrySpeech
    ...CountryMoney
    __typename
  }
}

fragment CountryHeader on Country {
  id
  code
  shortCode
  name
  officialName
  flag
  capitals
  __typename
}

fragment CountryFacts on Country {
  id
  areaKm2
  landlocked
  independent
  unMember
  topLevelDomains
  __typename
}

fragment PlaceName on Place {
  id
  name
  __typename
}

fragment CountryPlace on Country {
  id
  region {
    ...PlaceName
    areaKm2
    __typename
  }
  subregion {
    ...PlaceName
    areaKm2
    __typename
  }
  location {
    latitude
    longitude
    __typename
  }
  __typename
}

fragment LanguageTag on Language {
  code
  name
  __typename
}

fragment CountrySpeech on Country {
  id
  languages {
    ...LanguageTag
    __typename
  }
  __typename
}

fragment CurrencyTag on Currency {
  code
  name
  symbol
  __typename
}

fragment CountryMoney on Country {
  id
  currencies {
    ...CurrencyTag
    __typename
  }
  __typename
}
`;

/** A part of a page that callers rarely request, such as what a tab of the page shows. */
const tab = (name: string) => `  ${name}: country(code: $code) @include(if: $tabs) {
    id
    officialName
    alternativeNames
    topLevelDomains
    independent
    unMember
    borders {
      ...CountryHeader
      languages {
        ...LanguageTag
        __typename
      }
      currencies {
        ...CurrencyTag
        __typename
      }
      __typename
    }
    subregion {
      ...PlaceName
      languages {
        ...LanguageTag
        __typename
      }
      __typename
    }
    __typename
  }
`;
const TABS = Array.from({ length: 7 }, (_, index) => tab(`tab${index}`)).join('');

export const OPERATIONS = {
  /** Reads one country. The operation takes little time, so Tollgate takes a large part of it. */
  small: {
    query: `query Small($code: ID!) {
      country(code: $code) { name capitals region { name } languages { name } currencies { name symbol } }
    }`,
    variables: (call) => ({ code: CODES[call % CODES.length] }),
  },
  /**
   * The operation that the platform prints as an example. It returns about twenty countries and
   * their neighbors, together about seventy objects.
   */
  typical: {
    query: 'query Typical($first: Int!) { countries(first: $first) { name borders { name } } }',
    variables: (call) => ({ first: 15 + (call % 10) }),
  },
  /** Nested lists, with about 300 objects in total. */
  nested: {
    query: `query Nested($first: Int!) {
      countries(first: $first) { name flag subregion { name } borders { name languages { name } } }
    }`,
    variables: (call) => ({ first: 20 + (call % 20) }),
  },
  /** The document of a page, as clients compile it: fragments, and `__typename` in each selection. */
  page: {
    query: PAGE,
    variables: (call) => ({ code: CODES[call % CODES.length] }),
  },
  /** The same page in a document of 4.7 KB, most of which this request does not need. */
  tabs: {
    query: PAGE.replace(
      'query CountryPage($code: ID!) {\n',
      `query CountryTabs($code: ID!, $tabs: Boolean!) {\n${TABS}`,
    ),
    variables: (call) => ({ code: CODES[call % CODES.length], tabs: false }),
  },
} as const satisfies Record<string, BenchOperation>;

export type OperationName = keyof typeof OPERATIONS;
/** Operations of the bench `http`. */
export const OPERATION_NAMES = ['small', 'typical', 'nested'] as const satisfies readonly OperationName[];
