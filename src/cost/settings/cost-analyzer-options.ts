import { MAX_COST } from '../../model/limit-parameters.js';
import { findMistakes, type OptionTable } from '../../options/find-mistakes.js';
import {
  anything,
  callback,
  checkedBy,
  finiteNumber,
  flag,
  listOf,
  objectOr,
  oneOf,
  optionsOf,
  recordOf,
  wholeNumber,
} from '../../options/option-kinds.js';
import type { ComplexityFunction } from '../annotations/complexity-function.js';
import type { CostOverlay, OverlayEntry } from '../annotations/cost-overlay.js';
import type { ListSize } from '../annotations/merge-list-sizes.js';
import { SIZING_ARGUMENTS, type SizingArgument } from '../annotations/sizing-arguments.js';
import { COST_PRESET_NAMES, type CostPreset } from './cost-presets.js';
import { type CostProfile, PROFILE_NAMES, type ProfileName } from './cost-profile.js';

export interface CostAnalyzerOptions {
  /**
   * Default weights, and the rules that combine them.
   * @default 'tokens'; 'query-complexity' with `estimators`
   */
  profile?: ProfileName | CostProfile;
  /**
   * Size of a list without an annotation, a preset or an argument that sizes it.
   * @default 10; 1 in the profile `query-complexity`
   */
  defaultListSize?: number;
  /** Minimum cost of an operation, in tokens. @default 1 */
  minimumCost?: number;
  /**
   * Annotations by schema coordinate, or by patterns such as `*.edges`, for a schema that you
   * cannot edit. They take precedence over annotations in the schema.
   */
  overlay?: CostOverlay;
  /**
   * Names of presets, such as `['errors']`. A preset contains list sizes for a well-known schema,
   * which replace `defaultListSize`. Sizes from annotations, arguments and the overlay take
   * precedence.
   * @default none
   */
  presets?: readonly CostPreset[];
  /**
   * Treatment of overlay entries that do not match the schema. `error` rejects the schema.
   * `warning` logs the mistakes and applies the other entries; use it if another team changes the
   * schema. `silent` does the same without logging. Use it if your code logs the mistakes that
   * `check` returns.
   * @default 'error'
   */
  overlayMistakes?: 'error' | 'warning' | 'silent';
  /**
   * Functions that price fields, as in graphql-query-complexity. The first number that any of them
   * returns is the price of a field. They do not price fields that have a weight or a list size
   * annotation. If no function returns a number, the profile prices the field.
   * @default none
   */
  estimators?: readonly ComplexityFunction[];
  /**
   * Whether the sizes of lists without annotations are inferred from arguments. These are numbers
   * such as `first`, `limit` or `perPage`, and lists of ids and input objects. `{ count: false }`
   * excludes the name `count` in all its spellings. `inputs` stands for list arguments under any
   * name other than `ids` and `representations`.
   * @default true; false in the profiles `ibm`, `apollo`, `github` and `query-complexity`
   */
  inferListSizes?: boolean | Partial<Record<SizingArgument, boolean>>;
  /**
   * Whether the arguments of `inferListSizes` also size the lists inside the object that a field
   * returns, such as a Relay connection or a payload. `first` and `last` do so regardless of
   * `inferListSizes`.
   * @default true; false in the profiles `ibm`, `apollo` and `query-complexity`
   */
  inferConnections?: boolean;
  /**
   * Price in tokens of `__schema` and of `__type`, regardless of the selections below them.
   * `priced` prices them like other selections. `exempt` makes them free, so one operation can
   * select them a hundred times at no cost.
   * @default 10; 'priced' with `introspectionListSize`, and in the profile `query-complexity`
   */
  introspection?: 'priced' | 'exempt' | number;
  /**
   * Size of lists in introspection, if introspection is priced like other selections.
   * @default defaultListSize
   */
  introspectionListSize?: number;
  /**
   * Maximum number of compile steps for an exact price. A field selection takes one or two steps. A
   * more complex operation is priced by an upper bound. It is rejected if the bound takes more than
   * 16 times this number.
   * @default 5000
   */
  maxCompileSteps?: number;
  /** Maximum number of cost plans cached by document hash. @default 1000 */
  maxCachedPlans?: number;
  /**
   * Maximum estimated heap size of the cached cost plans and their documents, in bytes.
   * @default 33554432
   */
  maxCachedPlanBytes?: number;
}

const size = wholeNumber(0, MAX_COST);
const atLeastOne = wholeNumber(1, MAX_COST);

const PROFILE: OptionTable<CostProfile> = {
  objectWeight: finiteNumber,
  scalarWeight: finiteNumber,
  compositeFieldWeight: finiteNumber,
  scalarFieldWeight: finiteNumber,
  inputObjectWeight: finiteNumber,
  roots: optionsOf<Required<CostProfile>['roots']>({
    query: finiteNumber,
    mutation: finiteNumber,
    subscription: finiteNumber,
  }),
  fieldWeightPerItem: flag,
};

/**
 * Members of a list size. Their values, like those of `OVERLAY_ENTRY`, are not validated here,
 * because `check` reports mistakes in them together with the coordinate.
 */
const LIST_SIZE: OptionTable<Partial<ListSize>> = {
  assumedSize: anything,
  slicingArguments: anything,
  sizedFields: anything,
  requireOneSlicingArgument: anything,
};
const OVERLAY_ENTRY: OptionTable<OverlayEntry> = {
  weight: anything,
  cost: anything,
  perElement: anything,
  maxSize: anything,
  defaultSize: anything,
  ...LIST_SIZE,
  listSize: optionsOf<Partial<ListSize>>(LIST_SIZE),
};
const OVERLAY = recordOf(objectOr(optionsOf(OVERLAY_ENTRY), finiteNumber));

const SIZING = Object.fromEntries(SIZING_ARGUMENTS.map((name) => [name, flag])) as OptionTable<
  Partial<Record<SizingArgument, boolean>>
>;

export const COST_ANALYZER_OPTIONS: OptionTable<CostAnalyzerOptions> = {
  profile: objectOr(optionsOf(PROFILE), oneOf(...PROFILE_NAMES)),
  defaultListSize: size,
  minimumCost: size,
  overlay: OVERLAY,
  presets: listOf(oneOf(...COST_PRESET_NAMES)),
  overlayMistakes: oneOf('error', 'warning', 'silent'),
  estimators: listOf(callback('simpleEstimator({ defaultComplexity: 1 })')),
  inferListSizes: objectOr(optionsOf(SIZING), flag),
  inferConnections: flag,
  introspection: checkedBy((value, place) => {
    const [mistake] = [...oneOf('priced', 'exempt').find(value, place)];
    if (mistake === undefined || [...size.find(value, place)].length === 0) return [];
    return [mistake.replace('expected ', 'expected a whole number of tokens, ')];
  }),
  introspectionListSize: size,
  maxCompileSteps: atLeastOne,
  maxCachedPlans: atLeastOne,
  maxCachedPlanBytes: atLeastOne,
};

/**
 * Options that set the sizes of many lists by rules: inference from argument names, and presets.
 */
export type InferenceChoices = Pick<CostAnalyzerOptions, 'presets' | 'inferListSizes' | 'inferConnections'>;

const INFERENCE: OptionTable<InferenceChoices> = {
  presets: COST_ANALYZER_OPTIONS.presets,
  inferListSizes: COST_ANALYZER_OPTIONS.inferListSizes,
  inferConnections: COST_ANALYZER_OPTIONS.inferConnections,
};

export const INFERENCE_OPTIONS = Object.keys(INFERENCE) as readonly (keyof InferenceChoices)[];

/** Returns one line for each mistake in inference options. */
export function findInferenceMistakes(choices: unknown): string[] {
  return [...findMistakes(choices, INFERENCE)];
}

/**
 * Returns the mistakes of an overlay that do not depend on the schema, such as unknown members.
 * Each is one line that begins with the overlay key.
 */
export function findOverlayMistakes(overlay: unknown): string[] {
  return [...OVERLAY.find(overlay, 'overlay')];
}
