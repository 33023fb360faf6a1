import type { OperationType, Tier } from '../../model/rule.js';
import type { Subject } from '../../model/subject.js';
import { hash32 } from '../../runtime/hash-32.js';
import { createAddressMap } from './create-address-map.js';
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
   * Returns the rules for an operation of a tier, except those that depend on clients or addresses.
   */
  forOperation(tier: Tier, footprint: Footprint): PreparedRule[];
  /**
   * Returns the rules that depend on a client or address and match this request, for any operation
   * and tier.
   */
  forRequest(request: RequestFacts): PreparedRule[];
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
  find(request: RequestFacts): PreparedRule[];
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
      const found = [...index.everything];
      for (const coordinate of footprint.coordinates) found.push(...(index.byCoordinate.get(coordinate) ?? []));
      for (const type of footprint.types) found.push(...(index.byType.get(type) ?? []));
      for (const field of footprint.fields) found.push(...(index.byField.get(field) ?? []));
      return found.filter((one) => isForOperation(one, footprint));
    },
    forRequest: parts.ofRequests.find,
  };
}

function indexRequests(asking: readonly PreparedRule[]): RequestIndex {
  const byClient = new Map<string, PreparedRule[]>();
  const addressed: [string, PreparedRule][] = [];
  for (const one of asking) {
    const { clients = [], addresses = [] } = one.rule.match;
    // A rule with both conditions is indexed by client; its addresses are checked afterwards.
    if (clients.length > 0) for (const client of new Set(clients)) add(byClient, client, one);
    else for (const block of new Set(addresses)) addressed.push([block, one]);
  }
  const byAddress = createAddressMap(addressed);
  const blocks = new Map(
    asking
      .filter(({ rule }) => rule.match.clients?.length && rule.match.addresses?.length)
      .map((one) => [one, createAddressMap((one.rule.match.addresses ?? []).map((block) => [block, true] as const))]),
  );
  return {
    rules: asking,
    find({ subject, client }) {
      const found = client === undefined ? [] : (byClient.get(client) ?? []);
      const { ip } = subject;
      const allowed = blocks.size === 0 ? found : found.filter((one) => holds(blocks.get(one), ip));
      const here = ip === undefined ? [] : byAddress.get(ip);
      if (here.length === 0) return allowed;
      // Blocks of one rule may overlap.
      return [...new Set([...allowed, ...here])];
    },
  };
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
 * Whether a rule is for this operation of this tier. Clients, addresses and rollout are not
 * checked.
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
    const [type = '*', field = '*'] = one.pattern.text.split('.');
    if (type !== '*' && field !== '*') add(index.byCoordinate, one.pattern.text, one);
    else if (type !== '*') add(index.byType, type, one);
    else if (field !== '*') add(index.byField, field, one);
    else index.everything.push(one);
  }
  return index;
}

function isTouched({ pattern }: PreparedRule, { coordinates, types, fields }: Footprint): boolean {
  const [type = '*', field = '*'] = pattern.text.split('.');
  if (type !== '*' && field !== '*') return coordinates.has(pattern.text);
  if (type !== '*') return types.has(type);
  if (field !== '*') return fields.has(field);
  return pattern.wholeOperation || coordinates.size > 0;
}

function isForOperation({ rule, pattern }: PreparedRule, { type, name, coordinates }: Footprint): boolean {
  const { operationTypes, operationNames } = rule.match;
  if (!pattern.wholeOperation && coordinates.size === 0) return false;
  if (!isFor(operationTypes, type)) return false;
  return name === undefined ? !operationNames?.length : isFor(operationNames, name);
}

function isFor<T>(list: readonly T[] | undefined, value: T): boolean {
  return list === undefined || list.length === 0 || list.includes(value);
}

function holds(blocks: { get(address: string): readonly unknown[] } | undefined, ip: string | undefined): boolean {
  return blocks === undefined || (ip !== undefined && blocks.get(ip).length > 0);
}

function add<Key>(map: Map<Key, PreparedRule[]>, key: Key, one: PreparedRule): void {
  const list = map.get(key);
  if (list) list.push(one);
  else map.set(key, [one]);
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
