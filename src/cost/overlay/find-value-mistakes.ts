import { type GraphQLArgument, type GraphQLField, GraphQLInt, GraphQLList, GraphQLObjectType } from 'graphql';
import { createAnnotations } from '../annotations/annotations.js';
import type { CostOverlay } from '../annotations/cost-overlay.js';
import { NO_INFERENCE } from '../annotations/infer-list-size.js';
import type { SchemaProblem } from '../annotations/schema-problem.js';
import { priceOf } from './expand-overlay.js';

/** Field without annotations, so that only the overlay is read. */
const UNANNOTATED = new GraphQLObjectType({
  name: 'T',
  fields: { f: { type: GraphQLInt, args: { a: { type: new GraphQLList(GraphQLInt) } } } },
}).getFields()['f'] as GraphQLField<unknown, unknown>;
/** Argument with a list type, so that `perElement` is valid on it. */
const LIST_ARGUMENT = UNANNOTATED.args[0] as GraphQLArgument;
const NO_NAMES = { cost: new Set<string>(), listSize: new Set<string>() };

/**
 * Returns the mistakes in the values of an overlay that can be found without a schema. The
 * coordinate of each is its overlay key.
 */
export function findValueMistakes(overlay: CostOverlay): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const [key, entry] of Object.entries(overlay)) {
    const reject = (message: string): void => void problems.push({ severity: 'error', coordinate: key, message });
    const price = priceOf(entry, reject);
    const annotations = createAnnotations({
      names: NO_NAMES,
      inference: NO_INFERENCE,
      overlay: { [key]: price },
      report: ({ message }) => reject(message),
    });
    annotations.inputWeight(LIST_ARGUMENT, key);
    annotations.listSize(UNANNOTATED, key);
    annotations.maxSize(UNANNOTATED, key);
    annotations.defaultSize(UNANNOTATED, key);
  }
  return problems;
}
