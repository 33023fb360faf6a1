import type { Rule } from '../../model/rule.js';
import { includesName } from '../../rules/matching/create-name-map.js';
import { fieldTextOf, patternsIn } from '../../rules/policy/field-pattern.js';
import type { UserError } from '../../rules/store/outcome.js';
import type { RuleFilter, RuleRecord } from '../../rules/store/rule-record.js';
import type { RulesStore } from '../../rules/store/rules-store.js';

/** The rules in the code of a server. */
interface RulesOfServer {
  /** Name of the service. Undefined if it has no name. */
  service: string | undefined;
  rules: readonly Rule[];
  /** Time at which the rules became known. */
  since: Date;
}

interface RulesInCodeOptions {
  /** Rules of this process. */
  own: RulesOfServer;
  /**
   * Returns the rules that other servers have published, ordered by the names of the services.
   * @default none are known
   */
  others?: (() => Promise<readonly RulesOfServer[]>) | undefined;
  store: Pick<RulesStore, 'rulesByName'>;
}

/**
 * The rules in the code of servers. They are listed with the stored rules and are read-only here.
 */
export interface RulesInCode {
  /**
   * Returns the rules with these keys, in no particular order. A rule in code is omitted if a
   * stored rule of the same name replaces it.
   */
  byKey(keys: readonly string[]): Promise<RuleRecord[]>;
  /**
   * Returns the rules with these names. If several servers have a rule of one name, the rule of
   * this process takes precedence, then that of the first service.
   */
  byName(names: readonly string[]): Promise<RuleRecord[]>;
  /**
   * Returns the rules that match the filter. Their places in the list are after those of all stored
   * rules.
   */
  list(filter: RuleFilter): Promise<{ place: number; rule: RuleRecord }[]>;
  /** Returns the id that a rule has in the code, by its key. Undefined for an unknown key. */
  idOf(key: string): Promise<string | undefined>;
  /** Returns the error for a change of a rule in code. Undefined if the rule is not in code. */
  rejectionOf(reference: { key?: string | undefined; name?: string | undefined }): Promise<UserError | undefined>;
}

interface RuleInCode {
  id: string;
  service: string | undefined;
  record: RuleRecord;
}

/**
 * Place of the first rule in code. It is above every id of a stored rule and has no more digits
 * than a cursor allows.
 */
const FIRST_PLACE = 10 ** 14;
/**
 * Matches the keys of rules in code. Keys of stored rules are numbers. The name of a service
 * contains no colon.
 */
const KEY_IN_CODE = /^code(?:@([^:]+))?:/;

/** Returns whether a key is that of a rule in code. */
export function isKeyOfCode(key: string): boolean {
  return KEY_IN_CODE.test(key);
}

/**
 * Returns the name of the service whose code has the rule. Null for stored rules, and for a server
 * without a name.
 */
export function serviceOfKey(key: string): string | null {
  return KEY_IN_CODE.exec(key)?.[1] ?? null;
}

export function createRulesInCode({ own, others = async () => [], store }: RulesInCodeOptions): RulesInCode {
  const ofThisProcess = recordsOf(own);
  /**
   * Cache of the records by published list. It works because `others` returns the same object for
   * the same list.
   */
  const made = new WeakMap<readonly Rule[], RuleInCode[]>();

  /** Returns all rules in code, those of this process first. */
  async function all(): Promise<RuleInCode[]> {
    const published = (await others()).filter(({ service }) => service !== own.service);
    return [
      ...ofThisProcess,
      ...published.flatMap((server) => {
        const known = made.get(server.rules) ?? recordsOf(server);
        made.set(server.rules, known);
        return known;
      }),
    ];
  }

  async function inForce<One extends { record: RuleRecord }>(some: readonly One[]): Promise<One[]> {
    if (some.length === 0) return [];
    const names = [...new Set(some.map(({ record }) => record.name))];
    const replaced = new Set((await store.rulesByName(names)).map(({ name }) => name));
    return some.filter(({ record }) => !replaced.has(record.name));
  }

  return {
    async byKey(keys) {
      if (keys.length === 0) return [];
      const found = (await all()).filter(({ record }) => keys.includes(record.id));
      return (await inForce(found)).map(({ record }) => record);
    },
    async byName(names) {
      const first = new Map((await all()).reverse().map((one) => [one.record.name, one]));
      return (await inForce(names.flatMap((name) => first.get(name) ?? []))).map(({ record }) => record);
    },
    async list(filter) {
      const placed = (await all()).map(({ record }, index) => ({ place: FIRST_PLACE + index, record }));
      const found = await inForce(placed.filter(({ record }) => fits(record, filter)));
      return found.map(({ place, record }) => ({ place, rule: record }));
    },
    async idOf(key) {
      return (await all()).find(({ record }) => record.id === key)?.id;
    },
    async rejectionOf({ key, name }) {
      const named = (await all()).find(({ record }) => (key === undefined ? record.name === name : record.id === key));
      if (!named) return undefined;
      const { service, record } = named;
      const where =
        service === undefined || service === own.service
          ? 'the server that handles this request'
          : `the servers of ${JSON.stringify(service)}`;
      const message = `${record.name} is defined in code, in the \`rules\` of ${where}: change it there, or create a stored rule with its name, which replaces it`;
      return { code: 'DEFINED_IN_CODE', field: [key === undefined ? 'name' : 'id'], message };
    },
  };
}

function recordsOf({ service, rules, since }: RulesOfServer): RuleInCode[] {
  const prefix = service === undefined ? 'code:' : `code@${service}:`;
  const bookkeeping = { version: 1, createdAt: since, updatedAt: since, retiredAt: null };
  return rules.map((rule) => ({
    id: rule.id,
    service,
    record: { ...rule, ...bookkeeping, id: prefix + rule.name },
  }));
}

function fits(rule: RuleRecord, filter: RuleFilter): boolean {
  const { retired = false, mode, scope, field, tier, callers, agents, user, tenant, key, document, app } = filter;
  const { nameContains } = filter;
  const { match } = rule;
  return (
    !retired &&
    (mode === undefined || rule.mode === mode) &&
    (scope === undefined || rule.scope === scope) &&
    (field === undefined || patternsIn(fieldTextOf(rule)).includes(field)) &&
    (tier === undefined || (match.tiers ?? []).includes(tier)) &&
    (callers === undefined || match.callers === callers) &&
    (agents === undefined || (match.agents ?? false) === agents) &&
    isNamedIn(match.users, user) &&
    isNamedIn(match.tenants, tenant) &&
    isNamedIn(match.keys, key) &&
    (document === undefined || match.document === document) &&
    isNamedIn(match.apps, app) &&
    (nameContains === undefined || rule.name.toLowerCase().includes(nameContains.toLowerCase()))
  );
}

function isNamedIn(list: readonly string[] | undefined, name: string | undefined): boolean {
  return name === undefined || (list ?? []).some((one) => includesName(one, name));
}
