import type { DemoKey } from './demo-policy.js';

/** A simulated caller, so that a new platform shows some traffic. */
export interface DemoCaller extends DemoKey {
  /** Average pause between a response and the next request, in milliseconds. */
  readonly pauseMs: number;
  /** Operations that the caller sends one after the other, in a loop. */
  readonly operations: readonly DemoOperation[];
}

interface DemoOperation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Time after which the caller ends the operation if it is a subscription, in milliseconds. */
  readonly listenMs?: number;
}

const COUNTRY_LIST = `query CountryList($first: Int, $place: ID) {
  countriesConnection(first: $first, place: $place) { nodes { name flag capitals } pageInfo { hasNextPage } }
}`;
const COUNTRY_CARD =
  'query CountryCard($code: ID!) { country(code: $code) { name flag areaKm2 currencies { name } borders { name } } }';
const SEARCH_BOX = 'query SearchBox($text: String!) { search(text: $text, first: 5) { ... on Country { name flag } } }';
const LANGUAGE_REPORT =
  'query LanguageReport($first: Int) { languages(first: $first) { name countryCount countries(first: 50) { name areaKm2 } } }';
const SAVE_NOTE = `mutation SaveNote($place: ID!, $text: String!) {
  noteSave(input: { place: $place, text: $text }) { note { id } }
}`;
const NOTE_FEED = 'subscription NoteFeed { noteSaved { text savedAt place { name } } }';
const EVERYTHING = '{ countries(first: 50) { name borders { name } } }';

/**
 * The simulated callers. Together they send about four requests a second, and each kind of denial
 * occurs. The scraper exhausts its bucket, and the typeahead exceeds a rule. Every third report
 * exceeds the maximum cost per operation of its tier. The storefront exceeds a rule in shadow mode.
 * The dashboard has three tabs, and exceeds the limit of two open subscriptions.
 */
export const demoCallers: readonly DemoCaller[] = [
  {
    key: 'demo-traffic-storefront',
    subject: { user: 'demo-storefront', tenant: 'demo-shop', tier: 'pro' },
    pauseMs: 1000,
    operations: [
      { query: COUNTRY_LIST, variables: { first: 25 } },
      { query: COUNTRY_LIST, variables: { first: 25, place: 'europe' } },
      { query: COUNTRY_CARD, variables: { code: 'SE' } },
    ],
  },
  {
    key: 'demo-traffic-mobile-app',
    subject: { user: 'demo-mobile-app', tier: 'free' },
    pauseMs: 3000,
    operations: ['FR', 'BR', 'JP', 'KE'].map((code) => ({ query: COUNTRY_CARD, variables: { code } })),
  },
  {
    key: 'demo-traffic-search-box',
    subject: { user: 'demo-search-box', tenant: 'demo-shop', tier: 'pro' },
    pauseMs: 2000,
    operations: ['sw', 'swe', 'swed', 'port', 'united'].map((text) => ({ query: SEARCH_BOX, variables: { text } })),
  },
  {
    key: 'demo-traffic-typeahead',
    subject: { user: 'demo-typeahead', tier: 'free' },
    pauseMs: 1000,
    operations: ['a', 'au', 'aus', 'aust'].map((text) => ({ query: SEARCH_BOX, variables: { text } })),
  },
  {
    key: 'demo-traffic-report',
    subject: { user: 'demo-report', tenant: 'demo-company', tier: 'pro' },
    pauseMs: 20_000,
    operations: [300, 100, 100].map((first) => ({ query: LANGUAGE_REPORT, variables: { first } })),
  },
  {
    key: 'demo-traffic-greedy-scraper',
    subject: { user: 'demo-greedy-scraper', tier: 'free' },
    pauseMs: 1000,
    // The operation has no name, which is typical of scrapers.
    operations: [{ query: EVERYTHING }],
  },
  {
    key: 'demo-traffic-editor',
    subject: { user: 'demo-editor', tenant: 'demo-company', tier: 'pro' },
    pauseMs: 5000,
    operations: ['SWE', 'europe', 'KEN'].map((place) => ({
      query: SAVE_NOTE,
      variables: { place, text: 'Visited' },
    })),
  },
  ...[15_000, 20_000, 25_000].map((listenMs) => ({
    key: 'demo-traffic-dashboard',
    subject: { user: 'demo-dashboard', tier: 'free' },
    pauseMs: 5000,
    operations: [{ query: NOTE_FEED, listenMs }],
  })),
];
