import type { Registry } from 'prom-client';
import { type Cell, createPlainCounter } from './plain-counter.js';

/** Rules told apart; there may be ten thousand, and with `mode: SHADOW` all of them are in shadow. */
const MAX_RULES = 200;
/** The label of all others together; a rule of this name would be counted with them. */
const OTHER = '(other)';

/** Counts what rules in shadow would have denied, by rule: what one looks at before a rule is enforced. */
export function countShadowDenials(registry: Registry): (rules: readonly string[]) => void {
  const cellOf = createPlainCounter({
    name: 'tollgate_shadow_denials_total',
    help: 'Operations that were admitted, though this rule, in shadow, would have denied them.',
    labels: ['rule'],
    registry,
  });
  const cells = new Map<string, Cell>();
  return (rules) => {
    for (const rule of rules) {
      let cell = cells.get(rule);
      if (cell === undefined) {
        const name = cells.size < MAX_RULES ? rule : OTHER;
        cell = cells.get(name) ?? cellOf({ rule: name });
        cells.set(name, cell);
      }
      cell.count++;
    }
  };
}
