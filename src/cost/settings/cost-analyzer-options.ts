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
  /** Default weights and how they combine. @default 'tokens'; 'query-complexity' with `estimators` */
  profile?: ProfileName | CostProfile;
  /** The size of a list of which nothing is known. @default 10; 1 in the profile `query-complexity` */
  defaultListSize?: number;
  /** The least that an operation costs. @default 1 */
  minimumCost?: number;
  /**
   * Annotations by schema coordinate, or by patterns such as `*.edges`, for a schema that is not ours; they win over those in
   * the schema.
   */
  overlay?: CostOverlay;
  /**
   * Presets: sizes of lists by the conventions of known schemas, such as `['errors']`. They count in place of the default list
   * size, where nothing else says how long a list is; the overlay and the schema win over them.
   * @default none
   */
  presets?: readonly CostPreset[];
  /**
   * What an overlay that does not fit the schema is: a mistake, by which the schema is refused, or a warning, what fits of it
   * being in force; for a schema that others change. `silent` is a warning that `check` gives and no log has, for those who
   * log it themselves.
   * @default 'error'
   */
  overlayMistakes?: 'error' | 'warning' | 'silent';
  /**
   * Functions that price fields, as graphql-query-complexity takes them: of each field the first number that one of them gives.
   * Fields with a weight or a list size of their own are left to these, and fields of which none gives a number to the profile.
   * @default none
   */
  estimators?: readonly ComplexityFunction[];
  /**
   * Whether the names of arguments size lists without annotations: those of numbers, such as `first`, `limit` or `perPage`, and
   * lists of ids and input objects. `{ count: false }` leaves one name out with its spellings; `inputs` stands for lists of inputs.
   * @default true; false in the profiles `ibm`, `apollo`, `github` and `query-complexity`
   */
  inferListSizes?: boolean | Partial<Record<SizingArgument, boolean>>;
  /**
   * Whether such arguments size the lists of the page or payload that a field returns, Relay connections among them; `first` and `last` do
   * whatever `inferListSizes` says.
   * @default true; false in the profiles `ibm`, `apollo` and `query-complexity`
   */
  inferConnections?: boolean;
  /**
   * How many tokens `__schema` and `__type` cost each, whatever is asked of them; or that they cost like other selections,
   * or nothing. What costs nothing can be asked a hundred times over in one operation.
   * @default 10; 'priced' with `introspectionListSize`, and in the profile `query-complexity`
   */
  introspection?: 'priced' | 'exempt' | number;
  /** The size of the lists of introspection, where it is priced like other selections. @default defaultListSize */
  introspectionListSize?: number;
  /** Steps of work past which an operation is priced by an upper bound, and past 16 times of which it is refused; a field selection takes one or two. @default 5000 */
  maxCompileSteps?: number;
  /** How many plans are kept by the hash of their document, at most. @default 1000 */
  maxCachedPlans?: number;
  /** And how many bytes of the heap these keep alive at most, estimated, their documents included. @default 33554432 */
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

/** Its values are those of directives: `check` reports them, with the coordinate. */
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

/** The options that size lists without naming each: what may be inferred from the names of arguments, and presets. */
export type InferenceChoices = Pick<CostAnalyzerOptions, 'presets' | 'inferListSizes' | 'inferConnections'>;

const INFERENCE: OptionTable<InferenceChoices> = {
  presets: COST_ANALYZER_OPTIONS.presets,
  inferListSizes: COST_ANALYZER_OPTIONS.inferListSizes,
  inferConnections: COST_ANALYZER_OPTIONS.inferConnections,
};

export const INFERENCE_OPTIONS = Object.keys(INFERENCE) as readonly (keyof InferenceChoices)[];

/** Returns one line for each mistake in options of inference. */
export function findInferenceMistakes(choices: unknown): string[] {
  return [...findMistakes(choices, INFERENCE)];
}

/** What is wrong with an overlay whatever the schema: words that there are not. One line for each, beginning with its key. */
export function findOverlayMistakes(overlay: unknown): string[] {
  return [...OVERLAY.find(overlay, 'overlay')];
}
