import { type PlanField, type PlanGroup, type PlanPosition, responseNamesOf } from '../compile/compiled-operation.js';
import { itemsOf, ownPrice } from '../price/create-pricing.js';
import type { MostExpensive } from '../price/most-expensive.js';
import type { RequestPricing } from '../price/request-pricing.js';
import type { Tariff } from '../settings/cost-profile.js';
import { toTokens } from '../values/to-tokens.js';

/**
 * A path of an operation, with the cost of all calls of the field at this path. The cost excludes
 * the fields below it.
 */
export interface MostExpensivePath {
  /** Response names from the root, separated by dots. A very long path is truncated. */
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
 * The end of a path, from some field down to the last. `cost` is the cost of the last field per
 * object on which the first field is selected.
 */
interface Candidate {
  readonly cost: number;
  readonly field: PlanField;
  /** Response name of the field on this path. */
  readonly name: string;
  readonly below: Candidate | undefined;
}

/**
 * Returns the paths with the highest own cost, the most expensive first. Paths with the same cost
 * are in the order of the document.
 *
 * The most expensive paths of a level are chosen among its own fields and the most expensive paths
 * of the level below. Every field of the plan is therefore visited once. A list of all paths would
 * be too long: fragments that are spread twice at each of 25 levels have millions of paths.
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
    // The cost is the same for each response name, so no more than `count` names are needed.
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
 * Inserts a candidate into the sorted list, and keeps only the `count` most expensive ones. A
 * candidate whose cost is not positive is never inserted.
 */
function insert(best: Candidate[], one: Candidate, count: number): void {
  if (!(one.cost > 0) || (best.length === count && best[count - 1]!.cost >= one.cost)) return;
  let at = best.length;
  while (at > 0 && best[at - 1]!.cost < one.cost) at--;
  best.splice(at, 0, one);
  if (best.length > count) best.pop();
}

/**
 * Maximum length of a path in the result, in characters. A response name may be as long as a
 * document, and repeating it could make a response longer than its request.
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
