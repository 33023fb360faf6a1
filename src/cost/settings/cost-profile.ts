import type { Amount } from '../../model/rule.js';
import type { InputWeights } from '../schema/input-model.js';
import type { FieldModel } from '../schema/schema-model.js';

/**
 * Default weights, and the rules that combine them. An annotation in the schema replaces the
 * default of its element.
 */
export interface CostProfile {
  /** Weight of an object in the response. @default 1 */
  objectWeight?: number;
  /** Weight of a scalar or enum value in the response. @default 0 */
  scalarWeight?: number;
  /** Weight of a call of a field that returns an object, interface or union. @default 0 */
  compositeFieldWeight?: number;
  /** Weight of a call of a field that returns a scalar or enum. @default 0 */
  scalarFieldWeight?: number;
  /** Weight of an input object that is the value of an argument or input field. @default 0 */
  inputObjectWeight?: number;
  /**
   * Base cost of an operation, added to the cost of its fields.
   * @default { query: 0, mutation: 10, subscription: 0 }
   */
  roots?: { query?: number; mutation?: number; subscription?: number };
  /**
   * Whether the weight of a field replaces that of its type and counts for each item of a list.
   * @default false
   */
  fieldWeightPerItem?: boolean;
}

export const PROFILE_NAMES = ['tokens', 'ibm', 'apollo', 'github', 'query-complexity'] as const;

export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Weights and rules by which the cost of an operation is computed as one number. */
export interface Tariff extends InputWeights {
  readonly name: string;
  readonly objectWeight: number;
  readonly scalarWeight: number;
  readonly compositeFieldWeight: number;
  readonly scalarFieldWeight: number;
  readonly roots: { readonly query: number; readonly mutation: number; readonly subscription: number };
  readonly fieldWeightPerItem: boolean;
  /** Whether the weights of objects, scalars and enum values in the response count. */
  readonly countsTypes: boolean;
  /** Whether the weights of the tariff replace the annotated weights of types. */
  readonly ignoresTypeWeights: boolean;
  /** Whether calls count: the weights of fields, arguments and directives, and price functions. */
  readonly countsCalls: boolean;
  /** If set, only connections count: their number of requests, or their number of nodes. */
  readonly connections: 'requests' | 'nodes' | undefined;
  /** Whether the sizes of inner lists, in lists of lists, multiply the cost too. */
  readonly multipliesInnerLists: boolean;
  /**
   * Whether the most expensive type and the most expensive selections are determined separately, so
   * that they may belong to different types.
   */
  readonly takesMaximaApart: boolean;
}

/** Profile with all defaults applied. */
export interface ResolvedProfile {
  readonly name: string;
  /** Tariffs whose sum is the cost. */
  readonly tariffs: readonly Tariff[];
  readonly inferConnections: boolean;
  /** Whether the sizes of lists are inferred from the names of arguments. */
  readonly inferListSizes: boolean;
  /**
   * Whether a slicing argument is required even if `requireOneSlicingArgument` is absent, as in the
   * draft specification.
   */
  readonly requiresSlicing: boolean;
  /**
   * Whether the size that a field sets for a list in its `sizedFields` replaces the size of the
   * list itself. Otherwise the larger size applies.
   */
  readonly pageSizeWins: boolean;
  /** Whether an estimate also reports the numbers of requests and nodes. */
  readonly countsConnections: boolean;
  /** Default list size, unless an option sets it. */
  readonly defaultListSize: number;
  /** Whether introspection is priced like other selections, unless an option sets this. */
  readonly pricesIntrospection: boolean;
  /**
   * Divisor that converts the sum of the tariffs to the cost. If it is above 1, the cost is rounded
   * and at least 1.
   */
  readonly per: number;
  /** Converts the sum of the tariffs to the cost. */
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

/**
 * Type cost of the draft specification of the cost directives, as in its conformance tests.
 * `FIELD_COST` is the field cost of that draft.
 */
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

/**
 * Number of requests that are needed to load every connection. One request loads one page of one
 * connection of one object.
 */
export const REQUESTS: Tariff = { ...CONNECTIONS_ONLY, name: 'requests', connections: 'requests' };

/** Number of nodes that the connections can return. */
const CONNECTION_NODES: Tariff = { ...CONNECTIONS_ONLY, name: 'connectionNodes', connections: 'nodes' };

/** Number of objects that the operation can return, regardless of their weights. */
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

/**
 * Cost that graphql-query-complexity computes with `simpleEstimator({ defaultComplexity: 1 })` for
 * a schema without annotations.
 */
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

/**
 * Defaults of profiles that reproduce the costs of other products. They infer no list sizes from
 * argument names.
 */
const PUBLISHED = { ...OWN, inferConnections: false, inferListSizes: false, requiresSlicing: true };

/** Default minimum cost of an operation, in tokens. */
export const MINIMUM_COST = 1;

/** Returns the settings of a built-in profile, or of a profile that the user has defined. */
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

/**
 * Returns the default profile. With estimators it is `query-complexity`, because estimators are
 * written for the rules of that package.
 */
export function defaultProfile({ estimators = [] }: { estimators?: readonly unknown[] | undefined }): ProfileName {
  return estimators.length > 0 ? 'query-complexity' : 'tokens';
}

const NODES_OF_OBJECTS = [NODES];
const NODES_OF_CONNECTIONS = [CONNECTION_NODES];
const TYPE_COSTS = [TYPE_COST];
const FIELD_COSTS = [FIELD_COST];

/**
 * Returns the tariffs whose sum is an amount. In a profile that counts connections, `NODES` counts
 * only the nodes of connections.
 */
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

/**
 * Returns the weight of one call of a field, without its arguments. There is one call per parent
 * object.
 */
export function callWeight(tariff: Tariff, field: FieldModel): number {
  if (field.isFree || !tariff.countsCalls || tariff.fieldWeightPerItem) return 0;
  return field.weight ?? (field.child === undefined ? tariff.scalarFieldWeight : tariff.compositeFieldWeight);
}

/**
 * Returns the weight of each item of a field if it does not depend on the runtime type. It is the
 * weight of a scalar or enum, or the weight of the field if this replaces the weight of the type.
 * Returns undefined if the weight depends on the runtime type.
 */
export function itemWeight(tariff: Tariff, field: FieldModel): number | undefined {
  if (field.isFree) return 0;
  if (tariff.fieldWeightPerItem && field.weight !== undefined) return field.weight;
  if (field.child !== undefined) return undefined;
  if (!tariff.countsTypes) return 0;
  return tariff.ignoresTypeWeights ? tariff.scalarWeight : (field.leafWeight ?? tariff.scalarWeight);
}

/** Returns whether bare fields (`FieldModel.isBare`) cost nothing under the tariff. */
export function ignoresBareFields(tariff: Tariff): boolean {
  const ignoresItems = !tariff.countsTypes || tariff.scalarWeight === 0;
  return ignoresItems && (!tariff.countsCalls || tariff.fieldWeightPerItem || tariff.scalarFieldWeight === 0);
}

/**
 * Returns the highest of the weights of object types. An undefined weight stands for the default of
 * the tariff.
 */
export function mostExpensiveType(tariff: Tariff, weights: readonly (number | undefined)[]): number {
  if (!tariff.countsTypes) return 0;
  if (tariff.ignoresTypeWeights) return tariff.objectWeight;
  let mostExpensive = Number.NEGATIVE_INFINITY;
  for (const weight of weights) mostExpensive = Math.max(mostExpensive, weight ?? tariff.objectWeight);
  return mostExpensive;
}

/**
 * Returns whether a field counts as a connection, which means that it has slicing arguments. Each
 * page of a connection is a separate request.
 */
export function isConnection(field: FieldModel): boolean {
  return field.slicing.length > 0;
}
