import type { Rule } from '../../model/rule.js';
import type { UserError } from '../../rules/store/outcome.js';
import type { RuleFilter, RuleRecord } from '../../rules/store/rule-record.js';
import type { RulesStore } from '../../rules/store/rules-store.js';

/** The rules in the code of a server. */
interface RulesOfServer {
  /** Its name; undefined: it has none. */
  service: string | undefined;
  rules: readonly Rule[];
  /** When it was learnt of them. */
  since: Date;
}

interface RulesInCodeOptions {
  /** Those of the process that answers. */
  own: RulesOfServer;
  /** Those that other servers have published, by the names of these. @default none are known */
  others?: (() => Promise<readonly RulesOfServer[]>) | undefined;
  store: Pick<RulesStore, 'rulesByName'>;
}

/** The rules in the code of servers: shown beside those that are stored, and read only here. */
export interface RulesInCode {
  /** Those with these keys, in no order. One whose name a stored rule has is not in force, and not shown. */
  byKey(keys: readonly string[]): Promise<RuleRecord[]>;
  /** Of several of a name that of this process, else that of the first service. */
  byName(names: readonly string[]): Promise<RuleRecord[]>;
  /** Those that the filter is for, each with its place, which is behind all stored rules. */
  list(filter: RuleFilter): Promise<{ place: number; rule: RuleRecord }[]>;
  /** The id that a rule has in the code, by its key; undefined where there is none. */
  idOf(key: string): Promise<string | undefined>;
  /** Why a change of the rule is refused; undefined where it is none of these. */
  refusalOf(reference: { key?: string | undefined; name?: string | undefined }): Promise<UserError | undefined>;
}

interface RuleInCode {
  id: string;
  service: string | undefined;
  record: RuleRecord;
}

/** No id of a stored rule comes near, and a cursor holds it. */
const FIRST_PLACE = 10 ** 14;
/** The keys of stored rules are numbers. A name of a service has no colon. */
const KEY_IN_CODE = /^code(?:@([^:]+))?:/;

/** Whether a key is that of a rule in code. */
export function isKeyOfCode(key: string): boolean {
  return KEY_IN_CODE.test(key);
}

/** The name of the server whose code has the rule; null for stored rules, and for a server without a name. */
export function serviceOfKey(key: string): string | null {
  return KEY_IN_CODE.exec(key)?.[1] ?? null;
}

export function createRulesInCode({ own, others = async () => [], store }: RulesInCodeOptions): RulesInCode {
  const ofThisProcess = recordsOf(own);
  /** Made once of what is published once, as that is kept. */
  const made = new WeakMap<readonly Rule[], RuleInCode[]>();

  /** Those of this process first. */
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
    async refusalOf({ key, name }) {
      const named = (await all()).find(({ record }) => (key === undefined ? record.name === name : record.id === key));
      if (!named) return undefined;
      const { service, record } = named;
      const where =
        service === undefined || service === own.service
          ? 'the server which answers is started with'
          : `the servers of ${JSON.stringify(service)} are started with`;
      const message = `${record.name} is defined in code, in the \`rules\` that ${where}: change it there, or create a rule of its name, which takes its place`;
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

function fits(rule: RuleRecord, { retired = false, mode, scope, field, tier, nameContains }: RuleFilter): boolean {
  return (
    !retired &&
    (mode === undefined || rule.mode === mode) &&
    (scope === undefined || rule.scope === scope) &&
    (field === undefined || rule.field === field) &&
    (tier === undefined || (rule.match.tiers ?? []).includes(tier)) &&
    (nameContains === undefined || rule.name.toLowerCase().includes(nameContains.toLowerCase()))
  );
}
