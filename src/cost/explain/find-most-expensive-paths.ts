import { type PlanField, type PlanGroup, type PlanPosition, responseNamesOf } from '../compile/compiled-operation.js';
import { itemsOf, ownPrice } from '../price/create-pricing.js';
import type { MostExpensive } from '../price/most-expensive.js';
import type { RequestPricing } from '../price/request-pricing.js';
import type { Tariff } from '../settings/cost-profile.js';
import { toTokens } from '../values/to-tokens.js';

/** A path of an operation, and what its field costs there in the whole operation, without what is below it. */
export interface MostExpensivePath {
  /** Response names from the root, with dots between; a very long one is cut off. */
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

/** A field on the way, with the best of what is below it; its cost is that of the last one, below one parent object. */
interface Candidate {
  readonly cost: number;
  readonly field: PlanField;
  /** That of its names which the path has. */
  readonly name: string;
  readonly below: Candidate | undefined;
}

/**
 * The paths with the highest own cost, the most expensive first; of equals, the one that comes first in the document. The
 * best of each level is chosen among the best of the levels below: every field of the plan is looked at once, however many
 * paths lead to it, as a fragment that is spread twice at each of 25 levels has more paths than could ever be listed.
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
    // Under each name it costs the same: more names than paths are asked for do not matter.
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

/** Keeps the best, in order; what costs nothing is never among them. */
function insert(best: Candidate[], one: Candidate, count: number): void {
  if (!(one.cost > 0) || (best.length === count && best[count - 1]!.cost >= one.cost)) return;
  let at = best.length;
  while (at > 0 && best[at - 1]!.cost < one.cost) at--;
  best.splice(at, 0, one);
  if (best.length > count) best.pop();
}

/** A response name may be as long as a document: an answer is not to be longer than what it answers. */
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
