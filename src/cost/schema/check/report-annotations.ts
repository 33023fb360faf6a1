import type { Logger } from '../../../model/logger.js';
import type { SchemaProblem } from '../annotations.js';

/** A schema without any annotation has hundreds. */
const MAX_WARNINGS = 20;

/** A price that rests on a mistake would be wrong for ever: it is refused. What is only a guess is said once. */
export function reportAnnotations(problems: readonly SchemaProblem[], logger: Pick<Logger, 'warn'>): void {
  const linesOf = (severity: 'error' | 'warning') =>
    problems
      .filter((problem) => problem.severity === severity)
      .map(({ coordinate, message }) => `\n  ${coordinate}: ${message}`);
  const errors = linesOf('error');
  if (errors.length > 0) throw new TypeError(`The annotations of the schema:${errors.join('')}`);
  const warnings = linesOf('warning');
  if (warnings.length === 0) return;
  const more = warnings.length - MAX_WARNINGS;
  const rest = more > 0 ? `\n  and ${more} more: tollgate.check() and tollgate cost --check-schema list them all` : '';
  logger.warn(`What of the schema is priced by a guess:${warnings.slice(0, MAX_WARNINGS).join('')}${rest}`);
}
