import type { Rule, RuleMatch, Tier } from '../../model/rule.js';
import { alikeWarning, nameAtAGlance } from '../policy/alike-names.js';
import type { KnownFields } from './known-fields.js';
import { bestFirst, type PreparedRule, prepareRule } from './prepare-rule.js';

interface RuleWarningsOptions {
  /** Those that are looked at: drafts, or what was changed. */
  rules: readonly Rule[];
  /** All that are, or would be, in force together; `rules` are among them. */
  among: readonly Rule[];
  tiers: readonly Tier[];
  /** What the schemas have that the rules are for; undefined: no schema is known, and nothing is said of fields. */
  fields: KnownFields | undefined;
}

/** A rule that does nothing, or says nothing, and most likely was meant to. */
interface RuleWarning {
  rule: Rule;
  /** Names the rule, what is wrong, and what to do. */
  message: string;
  /** Those that win over it, or are called almost as it is, where that is what is wrong. */
  winners: readonly Rule[];
}

/** What has to be known besides the rules that are stored. */
export interface RuleSurroundings {
  fields: KnownFields | undefined;
  /** Those of the code of the process: stored rules of their names replace them. */
  rulesInCode: readonly Rule[];
}

/**
 * What the authors of the rules may not have meant: fields and operations that no schema has, names of operations and clients that
 * none can have, denials without a body, names that
 * are taken for those of others, and rules that can never win
 * their level, as another one wins it for every caller and operation that they are for. Also those of the others that lose it
 * to one of `rules`. Nothing is refused for it: a schema may come later than its rules.
 */
export function findRuleWarnings({ rules, among, tiers, fields }: RuleWarningsOptions): RuleWarning[] {
  const looked = new Set(rules);
  const inUse = rules.filter(({ mode }) => mode !== 'OFF');
  const unknown = inUse.flatMap((rule) =>
    [
      ...(fields === undefined ? [] : whatIsUnknown(rule, fields)),
      ...whatNobodyIsCalled(rule),
      ...whatIsSilent(rule),
    ].map((message) => ({
      rule,
      message,
      winners: [],
    })),
  );
  const levels = new Set(inUse.filter(competes).map((rule) => prepareRule(rule).level));
  const byLevel = new Map<string, PreparedRule[]>();
  for (const rule of among) {
    if (!competes(rule)) continue;
    const prepared = prepareRule(rule);
    if (!levels.has(prepared.level)) continue;
    const rivals = byLevel.get(prepared.level);
    if (rivals) rivals.push(prepared);
    else byLevel.set(prepared.level, [prepared]);
  }
  const tierNames = tiers.map(({ name }) => name);
  const losing = [...byLevel.values()].flatMap((rivals) =>
    findLosers(rivals, tierNames)
      .filter(({ loser, winners }) => looked.has(loser.rule) || winners.some(({ rule }) => looked.has(rule)))
      .map(({ loser, winners }) => ({
        rule: loser.rule,
        message: describeLoss(loser, winners),
        winners: winners.map(({ rule }) => rule),
      })),
  );
  return [...unknown, ...losing, ...whatLooksAlike(rules, among)];
}

/** Of several that are looked at the last one is told of. */
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
    return { rule, message: alikeWarning('rule', rule.name, names), winners };
  });
}

/** Shadows are reported beside the rule that wins. */
function competes({ mode }: Rule): boolean {
  return mode === 'ENFORCE';
}

function* whatIsUnknown(rule: Rule, fields: KnownFields): Iterable<string> {
  const { name, field, match } = rule;
  if (!fields.has(field)) {
    const nearest = fields.nearest(field);
    const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    yield `rule "${name}" does nothing: it is on ${field}, which no schema that is known here has${meant}`;
  }
  const { operationTypes = [] } = match;
  if (operationTypes.length > 0 && !operationTypes.some(fields.hasOperations)) {
    yield `rule "${name}" does nothing: it is for ${operationTypes.join(', ')}, and no schema that is known here has such operations`;
  }
}

const OPERATION_NAME = /^[A-Za-z_]\w*$/;
/** Other letters come as bytes that each client chooses, and spaces at the ends of a header are none of it. */
const HEADER_TEXT = /^[!-~](?:[ -~]*[!-~])?$/;

/** Names are compared as a whole: one with a `*` is no pattern. */
function* whatNobodyIsCalled({ name, match: { operationNames = [], clients = [] } }: Rule): Iterable<string> {
  const operations = operationNames.filter((one) => !OPERATION_NAME.test(one));
  if (operations.length > 0) {
    yield `rule "${name}" is for operations that cannot exist: ${quoted(operations)}; a name is of letters, digits and _, and is compared as a whole, without patterns`;
  }
  const unsure = clients.filter((one) => !HEADER_TEXT.test(one));
  if (unsure.length > 0) {
    yield `rule "${name}" is for clients whose names no header brings for sure: ${quoted(unsure)}; use printable ASCII, without spaces at its ends`;
  }
}

function quoted(names: readonly string[]): string {
  const some = names.slice(0, 3).map((one) => JSON.stringify(one));
  return `${some.join(', ')}${names.length > some.length ? ` and ${names.length - some.length} more` : ''}`;
}

/** HTTP has no body for these: https://www.rfc-editor.org/rfc/rfc9110#name-204-no-content and its neighbours. */
const BODILESS = new Set([204, 205, 304]);

function* whatIsSilent({ name, response }: Rule): Iterable<string> {
  const status = response?.status;
  if (status !== undefined && BODILESS.has(status)) {
    yield `rule "${name}" denies without a word: an answer of status ${status} has no body, so that its callers see no error; use 429, or 200 for clients that cannot bear it`;
  }
}

interface Loser {
  loser: PreparedRule;
  /** Together they win for all that it is for. */
  winners: PreparedRule[];
}

/** The best of a level that the others are compared with: a level of thousands is not compared pair by pair. */
const MAX_RIVALS = 100;

function findLosers(level: readonly PreparedRule[], tierNames: readonly string[]): Loser[] {
  const winning: PreparedRule[] = [];
  const losers: Loser[] = [];
  for (const one of [...level].sort(bestFirst)) {
    const winners = winnersOver(one, winning, tierNames);
    if (winners) losers.push({ loser: one, winners });
    // Whom a loser wins over, its winners win over as well.
    else if (one.rule.rolloutPercent >= 100 && winning.length < MAX_RIVALS) winning.push(one);
  }
  return losers;
}

/** Undefined: on some tier no rule wins over it for sure. */
function winnersOver(
  { rule }: PreparedRule,
  better: readonly PreparedRule[],
  tierNames: readonly string[],
): PreparedRule[] | undefined {
  const covering = better.filter((one) => coversBesidesTiers(one.rule.match, rule.match));
  if (covering.length === 0) return undefined;
  const winners = new Set<PreparedRule>();
  for (const tier of rule.match.tiers?.length ? rule.match.tiers : tierNames) {
    const winner = covering.find((one) => covers(one.rule.match.tiers, [tier]));
    if (!winner) return undefined;
    winners.add(winner);
  }
  return [...winners];
}

function coversBesidesTiers(wide: RuleMatch, narrow: RuleMatch): boolean {
  return (
    covers(wide.operationTypes, narrow.operationTypes) &&
    covers(wide.operationNames, narrow.operationNames) &&
    covers(wide.clients, narrow.clients) &&
    covers(wide.addresses, narrow.addresses)
  );
}

/** An absent or empty list is for all. */
function covers(wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean {
  if (!wide?.length) return true;
  return narrow !== undefined && narrow.length > 0 && narrow.every((one) => wide.includes(one));
}

function describeLoss({ rule }: PreparedRule, winners: readonly PreparedRule[]): string {
  const { name, scope, field, measure } = rule;
  const by = winners.map(({ rule: winner }) => `"${winner.name}" (${whyItWins(winner, rule)})`).join(' and ');
  const level = `${scope}, ${field}, ${measure}`;
  const isExempted = winners.some((winner) => winner.rule.action.type === 'EXEMPT' && rule.action.type !== 'EXEMPT');
  const least = Math.min(...winners.map((winner) => winner.rule.priority));
  const priority = least > 0 ? `a priority below ${least}, or ` : '';
  const remedy = isExempted
    ? 'retire it, or make the exemption narrower'
    : `give it ${priority}another scope, field or measure, or retire it`;
  return `rule "${name}" never applies: of one scope, field and measure (${level}) only the best rule does, which for all that it is for is ${by}; ${remedy}`;
}

function whyItWins(winner: Rule, loser: Rule): string {
  if (winner.action.type === 'EXEMPT' && loser.action.type !== 'EXEMPT') return 'it exempts';
  if (winner.priority !== loser.priority) return `priority ${winner.priority} before ${loser.priority}`;
  return `of one priority, ${winner.priority}, the one with the lower id`;
}
