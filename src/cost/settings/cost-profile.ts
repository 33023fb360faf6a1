import type { Amount } from '../../model/rule.js';
import type { InputWeights } from '../schema/input-model.js';
import type { FieldModel } from '../schema/schema-model.js';

/** Default weights, and how they combine; an annotation in the schema replaces the default of its place. */
export interface CostProfile {
  /** A produced object. @default 1 */
  objectWeight?: number;
  /** A produced scalar or enum. @default 0 */
  scalarWeight?: number;
  /** The call of a field that returns an object, interface or union. @default 0 */
  compositeFieldWeight?: number;
  /** The call of a field that returns a scalar or enum. @default 0 */
  scalarFieldWeight?: number;
  /** The use of an argument or input field of input object type. @default 0 */
  inputObjectWeight?: number;
  /** What an operation costs before any of its fields. @default { query: 0, mutation: 10, subscription: 0 } */
  roots?: { query?: number; mutation?: number; subscription?: number };
  /** A field's weight replaces that of its type, and is paid for each item of a list. @default false */
  fieldWeightPerItem?: boolean;
}

export const PROFILE_NAMES = ['tokens', 'ibm', 'apollo', 'github', 'query-complexity'] as const;

export type ProfileName = (typeof PROFILE_NAMES)[number];

/** One kind of number: how it is summed up over an operation. */
export interface Tariff extends InputWeights {
  readonly name: string;
  readonly objectWeight: number;
  readonly scalarWeight: number;
  readonly compositeFieldWeight: number;
  readonly scalarFieldWeight: number;
  readonly roots: { readonly query: number; readonly mutation: number; readonly subscription: number };
  readonly fieldWeightPerItem: boolean;
  /** Whether the annotated weights of types count, and those of fields and what is given to them. */
  readonly countsTypes: boolean;
  /** Types weigh what the tariff says, whatever their annotations say. */
  readonly ignoresTypeWeights: boolean;
  readonly countsCalls: boolean;
  /** What a call of a connection costs, instead of everything else. */
  readonly connections: 'requests' | 'nodes' | undefined;
  /** Lists inside of lists multiply too. */
  readonly multipliesInnerLists: boolean;
  /** The most expensive type and the most expensive selections are taken apart, not for the same type. */
  readonly takesMaximaApart: boolean;
}

/** What `cost` is made of. */
export interface ResolvedProfile {
  readonly name: string;
  /** Their sum is the cost. */
  readonly tariffs: readonly Tariff[];
  readonly inferConnections: boolean;
  /** Whether lists are sized by the names of their arguments. */
  readonly inferListSizes: boolean;
  /** Whether a slicing argument has to be given also where `requireOneSlicingArgument` is not said, as the draft has it. */
  readonly requiresSlicing: boolean;
  /** Whether the size of a page replaces that of a list which it sizes; else the larger of both counts. */
  readonly pageSizeWins: boolean;
  /** Whether requests and nodes are told too. */
  readonly countsConnections: boolean;
  /** How long lists are of which nothing is known, where no option says it. */
  readonly defaultListSize: number;
  /** Whether introspection costs what other selections do, where no option says it. */
  readonly pricesIntrospection: boolean;
  /** How many of the sum are one of the answer, which is rounded and at least one then. */
  readonly per: number;
  /** From the sum to the answer. */
  finish(sum: number): number;
}

const BASE: Tariff = {
  name: 'tokens',
  objectWeight: 1,
  scalarWeight: 0,
  compositeFieldWeight: 0,
  scalarFieldWeight: 0,
  inputObjectWeight: 0,
  weighsInputItems: false,
  roots: { query: 0, mutation: 10, subscription: 0 },
  fieldWeightPerItem: false,
  countsTypes: true,
  ignoresTypeWeights: false,
  countsCalls: true,
  connections: undefined,
  multipliesInnerLists: true,
  takesMaximaApart: false,
};

/** The two numbers of the cost-directives draft, as its conformance suites have them. */
export const TYPE_COST: Tariff = {
  ...BASE,
  name: 'typeCost',
  roots: { query: 1, mutation: 1, subscription: 1 },
  countsCalls: false,
  multipliesInnerLists: false,
  takesMaximaApart: true,
};

export const FIELD_COST: Tariff = {
  ...BASE,
  name: 'fieldCost',
  objectWeight: 0,
  compositeFieldWeight: 1,
  inputObjectWeight: 1,
  roots: { query: 0, mutation: 0, subscription: 0 },
  countsTypes: false,
  multipliesInnerLists: false,
};

const CONNECTIONS_ONLY: Tariff = {
  ...BASE,
  objectWeight: 0,
  roots: { query: 0, mutation: 0, subscription: 0 },
  countsTypes: false,
  countsCalls: false,
};

/** How many requests fill every connection, each page of a parent being one. */
export const REQUESTS: Tariff = { ...CONNECTIONS_ONLY, name: 'requests', connections: 'requests' };

/** How many nodes the connections can return. */
const CONNECTION_NODES: Tariff = { ...CONNECTIONS_ONLY, name: 'connectionNodes', connections: 'nodes' };

/** How many objects the operation can return, whatever they weigh. */
const NODES: Tariff = {
  ...BASE,
  name: 'nodes',
  roots: { query: 0, mutation: 0, subscription: 0 },
  ignoresTypeWeights: true,
  countsCalls: false,
};

const APOLLO: Tariff = {
  ...BASE,
  name: 'apollo',
  inputObjectWeight: 1,
  weighsInputItems: true,
  fieldWeightPerItem: true,
};

const WHOLE = (sum: number): number => sum;

/** What the package of that name gives to a schema without annotations, by its `simpleEstimator({ defaultComplexity: 1 })`. */
const QUERY_COMPLEXITY: Tariff = {
  ...BASE,
  name: 'query-complexity',
  objectWeight: 0,
  compositeFieldWeight: 1,
  scalarFieldWeight: 1,
  roots: { query: 0, mutation: 0, subscription: 0 },
};

const REQUESTS_PER_POINT = 100;

const OWN = {
  inferConnections: true,
  inferListSizes: true,
  requiresSlicing: false,
  pageSizeWins: false,
  countsConnections: false,
  defaultListSize: 10,
  pricesIntrospection: false,
  per: 1,
  finish: WHOLE,
};

/** Numbers that others publish: nothing counts that they do not count. */
const PUBLISHED = { ...OWN, inferConnections: false, inferListSizes: false, requiresSlicing: true };

/** What an operation costs at least, where nothing else is said. */
export const MINIMUM_COST = 1;

export function resolveProfile(profile: ProfileName | CostProfile): ResolvedProfile {
  if (typeof profile === 'object') return userProfile(profile);
  switch (profile) {
    case 'tokens':
      return { ...OWN, name: profile, tariffs: [BASE] };
    case 'ibm':
      return { ...PUBLISHED, name: profile, tariffs: [TYPE_COST, FIELD_COST], pageSizeWins: true };
    case 'apollo':
      return { ...PUBLISHED, name: profile, tariffs: [APOLLO], pageSizeWins: true };
    case 'query-complexity':
      return {
        ...PUBLISHED,
        name: profile,
        tariffs: [QUERY_COMPLEXITY],
        requiresSlicing: false,
        defaultListSize: 1,
        pricesIntrospection: true,
      };
    case 'github':
      return {
        ...PUBLISHED,
        name: profile,
        tariffs: [REQUESTS],
        inferConnections: true,
        requiresSlicing: false,
        countsConnections: true,
        per: REQUESTS_PER_POINT,
        finish: (requests) => Math.max(1, Math.round(requests / REQUESTS_PER_POINT)),
      };
  }
}

/** What estimators return was made to go with the numbers of their package. */
export function defaultProfile({ estimators = [] }: { estimators?: readonly unknown[] | undefined }): ProfileName {
  return estimators.length > 0 ? 'query-complexity' : 'tokens';
}

const NODES_OF_OBJECTS = [NODES];
const NODES_OF_CONNECTIONS = [CONNECTION_NODES];
const TYPE_COSTS = [TYPE_COST];
const FIELD_COSTS = [FIELD_COST];

/** What an amount is the sum of. A profile that counts connections counts the nodes of these, and no other objects. */
export function tariffsOf(profile: ResolvedProfile, amount: Amount): readonly Tariff[] {
  switch (amount) {
    case 'COST':
      return profile.tariffs;
    case 'NODES':
      return profile.countsConnections ? NODES_OF_CONNECTIONS : NODES_OF_OBJECTS;
    case 'TYPE_COST':
      return TYPE_COSTS;
    case 'FIELD_COST':
      return FIELD_COSTS;
  }
}

function userProfile(profile: CostProfile): ResolvedProfile {
  const tariff: Tariff = { ...BASE, ...profile, roots: { ...BASE.roots, ...profile.roots }, name: 'own' };
  return { ...OWN, name: 'own', tariffs: [tariff] };
}

/** Weight of a call of this field, once per parent object, without its arguments. */
export function callWeight(tariff: Tariff, field: FieldModel): number {
  if (field.isFree || !tariff.countsCalls || tariff.fieldWeightPerItem) return 0;
  return field.weight ?? (field.child === undefined ? tariff.scalarFieldWeight : tariff.compositeFieldWeight);
}

/**
 * Weight of each item of a field that its runtime type does not decide: that of a scalar or enum, or the field's own
 * where it replaces the type's. Undefined: the weight of the runtime type.
 */
export function itemWeight(tariff: Tariff, field: FieldModel): number | undefined {
  if (field.isFree) return 0;
  if (tariff.fieldWeightPerItem && field.weight !== undefined) return field.weight;
  if (field.child !== undefined) return undefined;
  if (!tariff.countsTypes) return 0;
  return tariff.ignoresTypeWeights ? tariff.scalarWeight : (field.leafWeight ?? tariff.scalarWeight);
}

/** Whether fields that are `isBare` cost nothing. */
export function ignoresBareFields(tariff: Tariff): boolean {
  const ignoresItems = !tariff.countsTypes || tariff.scalarWeight === 0;
  return ignoresItems && (!tariff.countsCalls || tariff.fieldWeightPerItem || tariff.scalarFieldWeight === 0);
}

/** The most expensive of the annotated weights of object types, each undefined one being the default. */
export function mostExpensiveType(tariff: Tariff, weights: readonly (number | undefined)[]): number {
  if (!tariff.countsTypes) return 0;
  if (tariff.ignoresTypeWeights) return tariff.objectWeight;
  let mostExpensive = Number.NEGATIVE_INFINITY;
  for (const weight of weights) mostExpensive = Math.max(mostExpensive, weight ?? tariff.objectWeight);
  return mostExpensive;
}

/** Whether a page of this field is a request of its own to the service that holds the data. */
export function isConnection(field: FieldModel): boolean {
  return field.slicing.length > 0;
}
