import type { GuessGroup } from '../../../cost/check/group-guesses.js';
import { withPostgres } from '../../../postgres/with-postgres.js';
import { type LoggedDecision, readDecisions, startOfNewest } from '../../../usage/query/read-decisions.js';
import { loadDatabaseUrl } from '../../config/config.js';
import { type GuessEffects, indexGroups } from './guess-effects.js';

const DAY_MS = 86_400_000;
/** Maximum number of decisions to read. If there are more, the newest are read. */
const MAX_DECISIONS = 100_000;

/**
 * Reads the log of decisions in `DATABASE_URL`, and returns how much of the cost of operations came
 * from the lists of each group. The log has the cost of each field including its subfields, but no
 * arguments. The effect of groups of kind `SOMETIMES` is therefore unknown.
 */
export async function findRecordedEffects(groups: readonly GuessGroup[], days: number): Promise<GuessEffects> {
  const { always } = indexGroups(groups);
  const byGroup = new Map<GuessGroup, number>();
  const to = new Date();
  let operations = 0;
  let cost = 0;
  await withPostgres(loadDatabaseUrl(), async (db) => {
    const from = await startOfNewest(db, { from: new Date(to.getTime() - days * DAY_MS), to }, MAX_DECISIONS);
    for await (const page of readDecisions(db, { from, to }, MAX_DECISIONS)) {
      for (const { estimatedCost, fields, weight } of page.map(numbersOf)) {
        operations += weight;
        cost += weight * estimatedCost;
        const ofOperation = new Map<GuessGroup, number>();
        for (const field of fields) {
          const group = always.get(field.coordinate);
          if (group !== undefined) ofOperation.set(group, (ofOperation.get(group) ?? 0) + field.cost);
        }
        // The cost of a list inside another list of the same group is in the sum twice. The sum is
        // therefore limited to the cost of the operation.
        for (const [group, part] of ofOperation) {
          byGroup.set(group, (byGroup.get(group) ?? 0) + weight * Math.min(part, estimatedCost));
        }
      }
    }
  });
  return { source: 'recorded', operations: Math.round(operations), cost, byGroup, problems: [] };
}

function numbersOf({ estimated_cost: estimatedCost, estimatedFields: fields, sampled }: LoggedDecision) {
  // Under load the log contains only the decisions of some callers (sampling).
  return { estimatedCost, fields, weight: sampled > 0 ? 1 / sampled : 1 };
}
