import type { RuleMatchInput } from '../../generated/graphql.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { rulesText } from '../../text/rules-text.js';

const { callers: words } = rulesText;
/** Maximum number of names of a list that are shown. */
const MOST_NAMES = 5;

/** Describes the conditions on callers, one phrase each: `anonymous`, `user ann, bob`. */
export function matchWords(match: RuleMatchInput | null | undefined): string[] {
  const { agents, callers, credentials, users, tenants, keys } = match ?? {};
  return [
    ...(agents ? [words.agents] : []),
    ...(callers ? [words.are[callers]] : []),
    ...(credentials?.length ? [words.with(credentials.map((kind) => words.credentials[kind]).join(', '))] : []),
    ...(users?.length ? [words.users(namesOf(users))] : []),
    ...(tenants?.length ? [words.tenants(namesOf(tenants))] : []),
    ...(keys?.length ? [words.keys(namesOf(keys))] : []),
  ];
}

/** Describes the conditions on documents, one phrase each: `registered documents`, `app web`. */
export function documentWords(match: RuleMatchInput | null | undefined): string[] {
  const { document, apps, appVersions } = match ?? {};
  return [
    ...(document ? [words.document[document]] : []),
    ...(apps?.length ? [words.apps(namesOf(apps))] : []),
    ...(appVersions?.length ? [words.appVersions(namesOf(appVersions))] : []),
  ];
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => visibleText(name));
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [words.more(more)] : [])].join(', ');
}
