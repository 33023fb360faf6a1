import type { Rule, RuleMatch, Tier } from '../../model/rule.js';
import { alikeWarning, nameAtAGlance } from '../policy/alike-names.js';
import { fieldTextOf, patternsIn } from '../policy/field-pattern.js';
import { classesOf, findContradiction, reachOf } from './caller-classes.js';
import { includesName } from './create-name-map.js';
import type { KnownFields } from './known-fields.js';
import { bestFirst, type PreparedRule, prepareRule } from './prepare-rule.js';
import { coversTimes, timeWarning } from './time-warning.js';

interface RuleWarningsOptions {
  /** The rules to check: drafts, or rules that were changed. */
  rules: readonly Rule[];
  /** All rules that are, or would be, in force together, including `rules`. */
  among: readonly Rule[];
  tiers: readonly Tier[];
  /**
   * Fields of the schemas that the rules are for. If undefined, no schema is known, and fields are
   * not checked.
   */
  fields: KnownFields | undefined;
  /** Names of the apps with published documents. @default unknown, and apps are not checked */
  apps?: ReadonlySet<string> | undefined;
  /**
   * All rules that are in force now, if the change of `rules` is only planned. The warnings then
   * name the rules that would stop applying. @default the rules of `among` are in force
   */
  before?: readonly Rule[] | undefined;
  /** Current time in epoch milliseconds. @default the time of the system clock */
  nowMs?: number;
}

/**
 * A warning about a rule that probably does not do what its author intended. For example, it has no
 * effect, or it denies without a message.
 */
export interface RuleWarning {
  rule: Rule;
  /** Message with the name of the rule, the problem, and the remedy. */
  message: string;
  /**
   * The rules that win over the rule or have nearly the same name. Empty for a warning that is not
   * about other rules.
   */
  winners: readonly Rule[];
  /**
   * Whether the rule applies to no operation: the winners apply instead, or no caller meets its
   * conditions.
   */
  neverApplies: boolean;
}

/** Information that the warnings need in addition to the stored rules. */
export interface RuleSurroundings {
  fields: KnownFields | undefined;
  /** Rules in the code of the process. A stored rule replaces the one with the same name. */
  rulesInCode: readonly Rule[];
}

/**
 * Finds effects that the authors of the rules may not have intended:
 * - fields and operations that no schema has;
 * - names of operations and clients that are impossible;
 * - denials without a body;
 * - times that never come, such as an end in the past;
 * - windows below a second, whose author may have written seconds instead of milliseconds;
 * - names that look like those of other rules;
 * - rules whose conditions no caller or operation meets;
 * - apps without published documents;
 * - rules that can never apply: for each of their callers and operations, another rule with the
 *   same scope, field and measure wins.
 *
 * The function also reports other rules that lose to one of `rules`. A warning never prevents a
 * change: a schema may be added after its rules.
 */
export function findRuleWarnings(options: RuleWarningsOptions): RuleWarning[] {
  const { rules, among, tiers, fields, apps, before, nowMs = Date.now() } = options;
  const looked = new Set(rules);
  const inUse = rules.filter(({ mode }) => mode !== 'OFF');
  const untimely = inUse.flatMap((rule) => {
    const message = timeWarning(rule, nowMs);
    return message === undefined ? [] : [{ rule, message, winners: [], neverApplies: true }];
  });
  const unknown = inUse.flatMap((rule) =>
    [
      ...(fields === undefined ? [] : whatIsUnknown(rule, fields)),
      ...(apps === undefined ? [] : unknownApps(rule, apps)),
      ...impossibleNames(rule),
      ...whatIsSilent(rule),
      ...shortWindows(rule),
    ].map((message) => ({ rule, message, winners: [], neverApplies: false })),
  );
  const levels = new Set(inUse.map((rule) => prepareRule(rule).level));
  const tierNames = tiers.map(({ name }) => name);
  const earlier = before && {
    ids: new Set(before.map(({ id }) => id)),
    losers: new Set(losersOf(before, levels, tierNames).map(({ loser }) => loser.rule.id)),
  };
  const verbOf = ({ id }: Rule) => {
    if (earlier === undefined || earlier.losers.has(id)) return 'never applies';
    return earlier.ids.has(id) ? 'would stop applying' : 'would never apply';
  };
  const losing = losersOf(among, levels, tierNames)
    .filter(({ loser, winners }) => looked.has(loser.rule) || [...winners.keys()].some(({ rule }) => looked.has(rule)))
    .map(({ loser: { rule }, winners }) => ({
      rule,
      message: describeLoss(rule, verbOf(rule), winners),
      winners: [...winners.keys()].map((winner) => winner.rule),
      neverApplies: true,
    }));
  return [...unknown, ...untimely, ...inUse.flatMap(contradictions), ...losing, ...whatLooksAlike(rules, among)];
}

function contradictions(rule: Rule): RuleWarning[] {
  const found = findContradiction(rule);
  if (!found) return [];
  const isAboutDocuments = found.some((condition) => /^match\.(document|app)/.test(condition));
  const message = `rule "${rule.name}" never applies: no ${isAboutDocuments ? 'operation' : 'caller'} meets both ${found.join(' and ')}; remove one of them`;
  return [{ rule, message, winners: [], neverApplies: true }];
}

/** Finds the rules of some levels (see `PreparedRule.level`) that never apply. */
function losersOf(among: readonly Rule[], levels: ReadonlySet<string>, tierNames: readonly string[]): Loser[] {
  const byLevel = new Map<string, PreparedRule[]>();
  for (const rule of among) {
    if (rule.mode === 'OFF' || reachOf(rule) === 0) continue;
    const prepared = prepareRule(rule);
    if (!levels.has(prepared.level)) continue;
    const rivals = byLevel.get(prepared.level);
    if (rivals) rivals.push(prepared);
    else byLevel.set(prepared.level, [prepared]);
  }
  return [...byLevel.values()].flatMap((rivals) => findLosers(rivals, tierNames));
}

/**
 * Warns of names that look alike. If several of the checked rules look alike, the warning is about
 * the last one.
 */
function whatLooksAlike(rules: readonly Rule[], among: readonly Rule[]): RuleWarning[] {
  const latest = new Map(rules.map((rule) => [nameAtAGlance(rule.name), rule]));
  const alike = new Map<string, Rule[]>();
  for (const rule of among) {
    const glance = nameAtAGlance(rule.name);
    const found = latest.get(glance);
    if (found === undefined || found.name === rule.name) continue;
    alike.set(glance, [...(alike.get(glance) ?? []), rule]);
  }
  return [...alike].map(([glance, winners]) => {
    const rule = latest.get(glance)!;
    const names = winners.map(({ name }) => name);
    return { rule, message: alikeWarning('rule', rule.name, names), winners, neverApplies: false };
  });
}

function* whatIsUnknown(rule: Rule, fields: KnownFields): Iterable<string> {
  const { name, match } = rule;
  const patterns = patternsIn(fieldTextOf(rule));
  const unknown = patterns.filter((field) => !fields.has(field));
  for (const field of unknown) {
    const nearest = fields.nearest(field);
    const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    const effect = unknown.length < patterns.length ? 'does not count one of its fields' : 'has no effect';
    yield `rule "${name}" ${effect}: its field ${field} is in no known schema${meant}`;
  }
  const { operationTypes = [] } = match;
  if (operationTypes.length > 0 && !operationTypes.some(fields.hasOperations)) {
    yield `rule "${name}" has no effect: no known schema has operations of type ${operationTypes.join(', ')}`;
  }
}

function* unknownApps({ name, match }: Rule, apps: ReadonlySet<string>): Iterable<string> {
  const needsApp = match.document === 'REGISTERED' || match.apps || match.appVersions;
  if (!needsApp) return;
  if (apps.size === 0) {
    yield `rule "${name}" has no effect: no app has published documents; use "tollgate documents push --publish"`;
    return;
  }
  const unknown = (match.apps ?? []).filter((one) => ![...apps].some((app) => includesName(one, app)));
  if (unknown.length > 0) {
    yield `rule "${name}" matches apps without published documents: ${quoted(unknown)}; the apps are ${quoted([...apps].sort())}`;
  }
}

const OPERATION_NAME = /^[A-Za-z_]\w*$/;
/**
 * Header values that every client transmits unchanged. Clients encode other characters in different
 * ways, and HTTP removes spaces at the ends of a header.
 */
const HEADER_TEXT = /^[!-~](?:[ -~]*[!-~])?$/;

/** Warns of names that cannot match, or in which a `*` stands for itself. */
function* impossibleNames({ name, match }: Rule): Iterable<string> {
  const { operationNames = [], clients = [], users = [], tenants = [], keys = [], apps = [], appVersions = [] } = match;
  const operations = operationNames.filter((one) => !OPERATION_NAME.test(one));
  if (operations.length > 0) {
    yield `rule "${name}" matches operation names that cannot exist: ${quoted(operations)}; use letters, digits and _ only, because names have no wildcards`;
  }
  const unsure = clients.filter((one) => !HEADER_TEXT.test(one));
  if (unsure.length > 0) {
    yield `rule "${name}" matches client names that a header may not transmit unchanged: ${quoted(unsure)}; use printable ASCII without leading or trailing spaces`;
  }
  const starred = [...users, ...tenants, ...keys, ...apps, ...appVersions].filter((one) =>
    one.slice(0, -1).includes('*'),
  );
  if (starred.length > 0) {
    yield `rule "${name}" matches names with a * inside: ${quoted(starred)}; only a * at the end of a name stands for any text`;
  }
}

function quoted(names: readonly string[]): string {
  const some = names.slice(0, 3).map((one) => JSON.stringify(one));
  return `${some.join(', ')}${names.length > some.length ? ` and ${names.length - some.length} more` : ''}`;
}

/**
 * Status codes whose HTTP responses have no body:
 * https://www.rfc-editor.org/rfc/rfc9110#section-15.3.5, 15.3.6 and 15.4.5.
 */
const BODILESS = new Set([204, 205, 304]);

function* whatIsSilent({ name, response }: Rule): Iterable<string> {
  const status = response?.status;
  if (status !== undefined && BODILESS.has(status)) {
    yield `rule "${name}" denies without an error message: a response with status ${status} has no body; use 429, or 200 for clients that cannot handle it`;
  }
}

const SHORT_WINDOW_MS = 1000;

function* shortWindows({ name, limits }: Rule): Iterable<string> {
  for (const { windowMs } of limits) {
    if (windowMs !== undefined && windowMs < SHORT_WINDOW_MS) {
      yield `rule "${name}" has a window of ${windowMs} milliseconds; if you meant seconds, use windowMs: ${windowMs * 1000}`;
    }
  }
}

interface Loser {
  loser: PreparedRule;
  /**
   * The rules that together win for all callers and operations of the loser, with the tiers that
   * each wins on.
   */
  winners: Winners;
}

type Winners = ReadonlyMap<PreparedRule, readonly string[]>;

/**
 * Maximum number of winners that each rule is compared with. A level with thousands of rules is not
 * compared pair by pair.
 */
const MAX_RIVALS = 100;

function findLosers(level: readonly PreparedRule[], tierNames: readonly string[]): Loser[] {
  const winning: PreparedRule[] = [];
  const losers: Loser[] = [];
  for (const one of [...level].sort(bestFirst)) {
    const winners = winnersOver(one, winning, tierNames);
    if (winners) losers.push({ loser: one, winners });
    // A rule that never applies is not compared with later rules: its winners also win over those.
    // Shadow rules and rules in a partial rollout do not win over other rules for certain, but they
    // can lose to them.
    else if (one.rule.mode === 'ENFORCE' && one.rule.rolloutPercent >= 100 && winning.length < MAX_RIVALS)
      winning.push(one);
  }
  return losers;
}

/**
 * Returns the rules that together win over a rule on all of its tiers. Returns undefined if some
 * tier has no certain winner.
 */
function winnersOver(
  { rule }: PreparedRule,
  better: readonly PreparedRule[],
  tierNames: readonly string[],
): Winners | undefined {
  const covering = better.filter((one) => coversExceptTiers(one.rule.match, rule) && coversTimes(one.rule, rule));
  if (covering.length === 0) return undefined;
  const winners = new Map<PreparedRule, string[]>();
  for (const tier of rule.match.tiers?.length ? rule.match.tiers : tierNames) {
    const winner = covering.find((one) => covers(one.rule.match.tiers, [tier]));
    if (!winner) return undefined;
    winners.set(winner, [...(winners.get(winner) ?? []), tier]);
  }
  return winners;
}

function coversExceptTiers(wide: RuleMatch, rule: Rule): boolean {
  const narrow = rule.match;
  return (
    covers(wide.operationTypes, narrow.operationTypes) &&
    covers(wide.operationNames, narrow.operationNames) &&
    covers(wide.clients, narrow.clients) &&
    covers(wide.addresses, narrow.addresses) &&
    covers(wide.users, narrow.users, includesName) &&
    covers(wide.tenants, narrow.tenants, includesName) &&
    covers(wide.keys, narrow.keys, includesName) &&
    covers(wide.apps, narrow.apps, includesName) &&
    covers(wide.appVersions, narrow.appVersions, includesName) &&
    (reachOf(rule) & ~classesOf(wide)) === 0
  );
}

/**
 * Whether the wide list includes all elements of the narrow one. An absent or empty list includes
 * everything.
 */
function covers(
  wide: readonly string[] | undefined,
  narrow: readonly string[] | undefined,
  includes = (one: string, other: string) => one === other,
): boolean {
  if (!wide?.length) return true;
  if (!narrow?.length) return false;
  return narrow.every((one) => wide.some((other) => includes(other, one)));
}

/**
 * Names the winners with the tiers that each wins on, and the remedy. Messages for one winner omit
 * the tiers: it wins on all tiers of the loser.
 */
function describeLoss(loser: Rule, verb: string, winners: Winners): string {
  const rules = [...winners.keys()].map(({ rule }) => rule);
  const places = [...winners].map(([{ rule }, tiers], index) => {
    const winner = `"${rule.name}" (${whyItWins(rule, loser)})${index === 0 ? ' takes its place' : ''}`;
    return rules.length === 1 ? winner : `${winner} for ${namesOf(tiers)}${index === 0 ? ' callers' : ''}`;
  });
  const isExempted = rules.some(({ action }) => action.type === 'EXEMPT' && loser.action.type !== 'EXEMPT');
  return `rule "${loser.name}" ${verb}: ${places.join(', ')}. ${isExempted ? remedyOfExemption(loser) : remedyOf(loser, rules)}`;
}

function remedyOf({ name }: Rule, winners: readonly Rule[]): string {
  const keep = `To keep ${winners.length === 1 ? 'both' : 'all'}, change scope, field or measure.`;
  const least = Math.min(...winners.map(({ priority }) => priority));
  return least > 0 ? `${keep} To prefer "${name}", give it a priority below ${least}.` : keep;
}

function remedyOfExemption({ name }: Rule): string {
  return `To limit these callers, make the exemption narrower; otherwise, retire "${name}".`;
}

const MOST_TIERS = 3;

/** Lists the names of tiers: `free`, `free and pro`, `free, pro, max and 2 more`. */
function namesOf(tiers: readonly string[]): string {
  const more = tiers.length - MOST_TIERS;
  const named = more > 0 ? [...tiers.slice(0, MOST_TIERS), `${more} more`] : tiers;
  return [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' and ');
}

function whyItWins(winner: Rule, loser: Rule): string {
  if (winner.action.type === 'EXEMPT' && loser.action.type !== 'EXEMPT') return 'it exempts callers';
  if (winner.priority !== loser.priority) return `priority ${winner.priority} before ${loser.priority}`;
  return `equal priority ${winner.priority}, lower id`;
}
