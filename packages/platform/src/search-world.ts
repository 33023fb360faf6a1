import { badInput } from './country-page.js';
import type { CountryRecord, CurrencyRecord, LanguageRecord, RegionRecord, SubregionRecord, World } from './world.js';

type Findable = CountryRecord | RegionRecord | SubregionRecord | LanguageRecord | CurrencyRecord;

interface SearchRequest {
  text: string;
  /** Maximum number of results. */
  size: number;
  /** Language code. Countries are also found by their name in this language. */
  language?: string | null | undefined;
}

export type Search = (request: SearchRequest) => Findable[];

/**
 * Creates the search over all names and codes. They are normalized (lower case, no accents) only
 * once, when the search is created.
 */
export function createSearch(world: World): Search {
  const entries: SearchEntry[] = [
    ...world.countries.map((country) => ({
      record: country,
      words: [country.name, country.officialName, ...country.alternativeNames, country.id, country.shortCode].map(fold),
    })),
    ...[...world.regions, ...world.subregions].map((part) => ({ record: part, words: [fold(part.name)] })),
    ...[...world.languages, ...world.currencies].map((record) => ({
      record,
      words: [fold(record.name), fold(record.code)],
    })),
  ];
  const languages = world.countries[0]?.translations.map((translation) => translation.language) ?? [];

  return ({ text, size, language }) => {
    const wanted = fold(text.trim());
    if (wanted.length < 2 || wanted.length > 100) {
      throw badInput(`text: expected 2 to 100 characters, got ${wanted.length}`);
    }
    if (language != null && !languages.includes(language)) {
      throw badInput(`language: expected one of ${languages.join(', ')}, got ${JSON.stringify(language)}`);
    }
    return entries
      .map((entry) => ({ record: entry.record, distance: distance(entry, wanted, language) }))
      .filter((match) => match.distance < Number.POSITIVE_INFINITY)
      .sort((a, b) => a.distance - b.distance || a.record.name.localeCompare(b.record.name, 'en'))
      .slice(0, size)
      .map((match) => match.record);
  };
}

interface SearchEntry {
  record: Findable;
  words: string[];
}

/**
 * Returns the distance of the best matching word. 0: whole word, 1: prefix, 2: substring, infinity:
 * no match.
 */
function distance({ record, words }: SearchEntry, wanted: string, language: string | null | undefined): number {
  let best = Number.POSITIVE_INFINITY;
  for (const word of words) best = Math.min(best, distanceOf(word, wanted));
  if (language && record.__typename === 'Country') {
    const translation = record.translations.find((candidate) => candidate.language === language);
    if (translation) best = Math.min(best, distanceOf(fold(translation.name), wanted));
  }
  return best;
}

function distanceOf(word: string, wanted: string): number {
  const at = word.indexOf(wanted);
  if (at < 0) return Number.POSITIVE_INFINITY;
  if (at > 0) return 2;
  return word.length === wanted.length ? 0 : 1;
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
