import type { OperationType, Tier } from '../../model/rule.js';
import type { Subject } from '../../model/subject.js';
import { addToList } from '../../runtime/add-to-list.js';
import { hash32 } from '../../runtime/hash-32.js';
import { classOf, hasClass } from './caller-classes.js';
import { createAddressMap } from './create-address-map.js';
import { createNameMap } from './create-name-map.js';
import type { LimitedConnection } from './limited-connection.js';
import type { PreparedRule } from './prepare-rule.js';

/** Properties of an operation that rules depend on. */
export interface OperationFacts {
  type: OperationType;
  name: string | undefined;
  /** Every `Type.field` that the operation can resolve. */
  coordinates: readonly string[];
}

/** Properties of a request that rules depend on. */
export interface RequestFacts {
  subject: Subject;
  /**
   * Root of the caller's counters: the tenant, else the principal. At a given percentage, the
   * rollout of a rule always includes or always excludes a root.
   */
  root: string;
  client?: string | undefined;
  /** Whether the client names itself as one of `agentClients`. @default false */
  isAgentClient?: boolean | undefined;
  /** App and version that have registered the document. Undefined if it is not registered. */
  document?: Readonly<Record<'app' | 'version', string>> | undefined;
  /** WebSocket of the operation. Undefined for other transports. */
  connection?: LimitedConnection | undefined;
}

/** An operation in a form that is fast to match. */
interface Footprint {
  type: OperationType;
  name: string | undefined;
  coordinates: ReadonlySet<string>;
  /** The types and fields of the coordinates. */
  types: ReadonlySet<string>;
  fields: ReadonlySet<string>;
}

/**
 * Index of a ruleset's rules by their conditions. With it, neither binding an operation nor
 * deciding a request iterates over all rules.
 */
export interface RuleIndex {
  /**
   * Returns the rules for an operation of a tier, except those with `asksForRequest`. The classes
   * of callers are not checked.
   */
  forOperation(tier: Tier, footprint: Footprint): PreparedRule[];
  /**
   * Returns the rules with `asksForRequest` that match the client and the caller of this request,
   * for any operation and tier.
   */
  forRequest(request: RequestFacts): readonly PreparedRule[];
  /** Parts that the index of the next version may reuse. */
  readonly parts: IndexParts;
}

interface IndexParts {
  ofRequests: RequestIndex;
  /** Indexes by tier, each built at its first use. */
  ofOperations: { readonly rules: readonly PreparedRule[]; readonly byTier: Map<string, FieldIndex> };
}

interface RequestIndex {
  readonly rules: readonly PreparedRule[];
  find(request: RequestFacts): readonly PreparedRule[];
}

/**
 * Creates the index.
 * @param previous index of the previous ruleset. A part of it is reused if its rules are still the
 * same objects.
 */
export function createRuleIndex(rules: readonly PreparedRule[], previous?: RuleIndex): RuleIndex {
  const asking = rules.filter((one) => one.asksForRequest);
  const others = rules.filter((one) => !one.asksForRequest);
  const parts: IndexParts = {
    ofRequests: isSameList(asking, previous?.parts.ofRequests.rules)
      ? previous!.parts.ofRequests
      : indexRequests(asking),
    ofOperations: isSameList(others, previous?.parts.ofOperations.rules)
      ? previous!.parts.ofOperations
      : { rules: others, byTier: new Map() },
  };
  const { byTier } = parts.ofOperations;
  const ofTier = (tier: Tier) => {
    const index = byTier.get(tier.name) ?? indexFields(others.filter(({ rule }) => isFor(rule.match.tiers, tier.name)));
    byTier.set(tier.name, index);
    return index;
  };

  return {
    parts,
    forOperation(tier, footprint) {
      const index = ofTier(tier);
      // A rule for several fields is in several of these lists.
      const found = new Set(index.everything);
      const addAll = (rules: readonly PreparedRule[] = []) => {
        for (const one of rules) found.add(one);
      };
      for (const coordinate of footprint.coordinates) addAll(index.byCoordinate.get(coordinate));
      for (const type of footprint.types) addAll(index.byType.get(type));
      for (const field of footprint.fields) addAll(index.byField.get(field));
      return [...found].filter((one) => isForOperation(one, footprint));
    },
    forRequest: parts.ofRequests.find,
  };
}

/**
 * Conditions on a request. A rule is indexed by its first condition, and the others are checked
 * afterwards. Those that match the fewest callers come first.
 */
const CONDITIONS: readonly Condition[] = [
  { list: 'users', valueIn: ({ subject }) => subject.user, createMap: createNameMap },
  { list: 'keys', valueIn: ({ subject }) => subject.apiKey, createMap: createNameMap },
  { list: 'tenants', valueIn: ({ subject }) => subject.tenant, createMap: createNameMap },
  { list: 'appVersions', valueIn: ({ document }) => document?.version, createMap: createNameMap },
  { list: 'apps', valueIn: ({ document }) => document?.app, createMap: createNameMap },
  { list: 'clients', valueIn: ({ client }) => client, createMap: createTextMap },
  { list: 'addresses', valueIn: ({ subject }) => subject.ip, createMap: createAddressMap },
];

interface Condition {
  list: 'users' | 'keys' | 'tenants' | 'appVersions' | 'apps' | 'clients' | 'addresses';
  valueIn(request: RequestFacts): string | undefined;
  createMap<Value>(entries: Iterable<readonly [string, Value]>): { get(value: string): readonly Value[] };
}

function indexRequests(asking: readonly PreparedRule[]): RequestIndex {
  const conditionsOf = ({ rule }: PreparedRule) => CONDITIONS.filter(({ list }) => rule.match[list]?.length);
  const indexes = CONDITIONS.flatMap((condition) => {
    const { list, valueIn, createMap } = condition;
    const indexed = asking.filter((one) => conditionsOf(one)[0] === condition);
    if (indexed.length === 0) return [];
    const entries = indexed.flatMap((one) => [...new Set(one.rule.match[list])].map((value) => [value, one] as const));
    return [{ valueIn, map: createMap(entries) }];
  });
  const further = new Map(
    asking.flatMap((one) => {
      const [, ...others] = conditionsOf(one);
      const maps = others.map(({ list, valueIn, createMap }) => ({
        valueIn,
        map: createMap((one.rule.match[list] ?? []).map((value) => [value, true] as const)),
      }));
      return maps.length === 0 ? [] : [[one, maps] as const];
    }),
  );
  return {
    rules: asking,
    find(request) {
      let found: readonly PreparedRule[] = NO_RULES;
      for (const { valueIn, map } of indexes) {
        const value = valueIn(request);
        const here = value === undefined ? NO_RULES : map.get(value);
        if (here.length > 0) found = found.length === 0 ? here : [...found, ...here];
      }
      if (found.length === 0) return found;
      const callerClass = classOf(request);
      return found.filter(
        (one) =>
          hasClass(one.classes, callerClass) &&
          (further.get(one)?.every(({ valueIn, map }) => {
            const value = valueIn(request);
            return value !== undefined && map.get(value).length > 0;
          }) ??
            true),
      );
    },
  };
}

const NO_RULES: readonly PreparedRule[] = [];

/** Returns a map of values by equal text. */
function createTextMap<Value>(entries: Iterable<readonly [string, Value]>): { get(text: string): readonly Value[] } {
  const map = new Map<string, Value[]>();
  for (const [text, value] of entries) addToList(map, text, value);
  return { get: (text) => map.get(text) ?? [] };
}

function isSameList<T>(list: readonly T[], other: readonly T[] | undefined): boolean {
  return list.length === other?.length && list.every((one, index) => one === other[index]);
}

/** Derives the properties of an operation that rules may depend on. */
export function createFootprint({ type, name, coordinates }: OperationFacts): Footprint {
  const parts = coordinates.map((coordinate) => coordinate.split('.'));
  return {
    type,
    name,
    coordinates: new Set(coordinates),
    types: new Set(parts.map(([typeName = '']) => typeName)),
    fields: new Set(parts.map(([, field = '']) => field)),
  };
}

/**
 * Whether a rule is for this operation of this tier. Conditions on the request and the caller, and
 * the rollout, are not checked.
 */
export function concerns(one: PreparedRule, tier: Tier, footprint: Footprint): boolean {
  return isFor(one.rule.match.tiers, tier.name) && isForOperation(one, footprint) && isTouched(one, footprint);
}

export function isRolledOutTo({ rule }: PreparedRule, { root }: RequestFacts): boolean {
  return inRollout(rule.id, root, rule.rolloutPercent);
}

/** Rules by the part of a coordinate that their field pattern names. */
interface FieldIndex {
  byCoordinate: Map<string, PreparedRule[]>;
  byType: Map<string, PreparedRule[]>;
  byField: Map<string, PreparedRule[]>;
  /** Rules with the patterns `*` and `*.*`. */
  everything: PreparedRule[];
}

function indexFields(rules: readonly PreparedRule[]): FieldIndex {
  const index: FieldIndex = { byCoordinate: new Map(), byType: new Map(), byField: new Map(), everything: [] };
  for (const one of rules) {
    for (const text of one.pattern.patterns) {
      const [type = '*', field = '*'] = text.split('.');
      if (type !== '*' && field !== '*') addToList(index.byCoordinate, text, one);
      else if (type !== '*') addToList(index.byType, type, one);
      else if (field !== '*') addToList(index.byField, field, one);
      else index.everything.push(one);
    }
  }
  return index;
}

function isTouched({ pattern }: PreparedRule, { coordinates, types, fields }: Footprint): boolean {
  return pattern.patterns.some((text) => {
    const [type = '*', field = '*'] = text.split('.');
    if (type !== '*' && field !== '*') return coordinates.has(text);
    if (type !== '*') return types.has(type);
    if (field !== '*') return fields.has(field);
    return pattern.wholeOperation || coordinates.size > 0;
  });
}

function isForOperation({ rule, pattern }: PreparedRule, { type, name, coordinates }: Footprint): boolean {
  const { operationTypes, operationNames } = rule.match;
  if (!pattern.wholeOperation && coordinates.size === 0) return false;
  if (!isFor(operationTypes, type) || !countsOperationsOf(rule, type)) return false;
  return name === undefined ? !operationNames?.length : isFor(operationNames, name);
}

/** Returns whether the measure of a rule counts operations of this type. */
function countsOperationsOf({ measure }: PreparedRule['rule'], type: OperationType): boolean {
  return measure === 'SUBSCRIPTIONS' ? type === 'SUBSCRIPTION' : measure !== 'CONNECTIONS';
}

function isFor<T>(list: readonly T[] | undefined, value: T): boolean {
  return list === undefined || list.length === 0 || list.includes(value);
}

/**
 * Whether a root (see `RequestFacts`) is included in a rule's rollout to `percent` % of all roots.
 * The result never changes for the same arguments. A root that is included at 10 % is also included
 * at 20 %.
 */
export function inRollout(ruleId: string, root: string, percent: number): boolean {
  if (percent >= 100) return true;
  return hash32(`${ruleId}\u0000${root}`) < (percent / 100) * 2 ** 32;
}
