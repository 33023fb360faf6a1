import { type PlanField, type PlanGroup, type PlanPosition, responseNamesOf } from '../compile/compiled-operation.js';
import { itemsOf, ownPrice } from '../price/create-pricing.js';
import type { MostExpensive } from '../price/most-expensive.js';
import type { RequestPricing } from '../price/request-pricing.js';
import type { Tariff } from '../settings/cost-profile.js';
import { toTokens } from '../values/to-tokens.js';

/**
 * A path of an operation, with the cost of its field at that path in the whole operation. The
 * fields below are not included.
 */
export interface MostExpensivePath {
  /** Response names from the root, separated by dots. A very long path is cut off. */
  readonly path: string;
  readonly coordinate: string;
  readonly cost: number;
}

interface MostExpensivePathsOptions {
  readonly root: PlanPosition | undefined;
  readonly tariffs: readonly Tariff[];
  readonly request: RequestPricing;
  readonly most: MostExpensive;
  readonly count: number;
}

/**
 * A field on a path, with the rest of the path below it. Its cost is that of the last field on the
 * path, per parent object of this field.
 */
interface Candidate {
  readonly cost: number;
  readonly field: PlanField;
  /** Response name of the field on this path. */
  readonly name: string;
  readonly below: Candidate | undefined;
}

/**
 * Returns the paths with the highest own cost, the most expensive first. Of equal ones, the first
 * in the document comes first.
 *
 * The best paths of a level are chosen among the best of the levels below, so every field of the
 * plan is visited once. Listing the paths is impossible: a fragment that is spread twice at each of
 * 25 levels has too many.
 */
export function findMostExpensivePaths({
  root,
  tariffs,
  request,
  most,
  count,
}: MostExpensivePathsOptions): readonly MostExpensivePath[] {
  const known = new Map<object, readonly Candidate[]>();
  const { numbers } = request;
  const pricings = request.ofAll(tariffs);

  function ofPosition(position: PlanPosition): readonly Candidate[] {
    const group = most.groupOf(position);
    return group === undefined ? NONE : ofGroup(group);
  }

  function ofGroup(group: PlanGroup): readonly Candidate[] {
    const { fields, parts } = group;
    if (parts.length === 0) return ofFields(group, fields);
    const earlier = known.get(group);
    if (earlier) return earlier;
    const best: Candidate[] = [];
    for (const part of parts) for (const each of ofFields(part, part.fields)) insert(best, each, count);
    for (const each of ofFields(fields, fields)) insert(best, each, count);
    known.set(group, best);
    return best;
  }

  function ofFields(holder: object, fields: readonly PlanField[]): readonly Candidate[] {
    const earlier = known.get(holder);
    if (earlier) return earlier;
    const best: Candidate[] = [];
    for (const field of fields) {
      if (field.model.isFree || numbers.included(field.condition) === 0) continue;
      addField(best, field);
    }
    known.set(holder, best);
    return best;
  }

  function addField(best: Candidate[], field: PlanField): void {
    const group = field.child && most.groupOf(field.child);
    let own = 0;
    for (const pricing of pricings) own = numbers.sum(own, ownPrice(pricing, field, group));
    const candidates = field.child === undefined ? NONE : ofPosition(field.child);
    // The cost is the same under each name, so only as many names matter as paths are requested.
    for (const name of responseNamesOf(field).slice(0, count)) {
      insert(best, { cost: own, field, name, below: undefined }, count);
      for (const below of candidates) {
        insert(best, { cost: itemsOf(numbers, field, below.cost), field, name, below }, count);
      }
    }
  }

  return (root ? ofPosition(root) : NONE).map(toPath);
}

const NONE: readonly Candidate[] = [];

/**
 * Inserts a candidate in order and keeps only the best. A candidate without a cost is never
 * inserted.
 */
function insert(best: Candidate[], one: Candidate, count: number): void {
  if (!(one.cost > 0) || (best.length === count && best[count - 1]!.cost >= one.cost)) return;
  let at = best.length;
  while (at > 0 && best[at - 1]!.cost < one.cost) at--;
  best.splice(at, 0, one);
  if (best.length > count) best.pop();
}

/**
 * Maximum length of a path in the result. A response name may be as long as a document, and a
 * response should not be longer than its request.
 */
const MAX_PATH_LENGTH = 500;

function toPath(candidate: Candidate): MostExpensivePath {
  const names: string[] = [];
  let last = candidate;
  for (let each: Candidate | undefined = candidate; each; each = each.below) {
    names.push(each.name);
    last = each;
  }
  const path = names.join('.');
  return {
    path: path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}...` : path,
    coordinate: last.field.coordinate,
    cost: toTokens(candidate.cost),
  };
}
