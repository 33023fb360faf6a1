import { Link } from 'wouter';
import { useMay } from '../../app/login/session-context.js';
import type { DenialsQuery } from '../../generated/graphql.js';
import { callerPath } from '../../parts/text/caller-path.js';
import { commonText } from '../../text/common-text.js';
import { denialsText } from '../../text/denials-text.js';

export type DenialRow = DenialsQuery['denials']['nodes'][number];

/** Actions for a denial: explain its cost, and raise the limit of the caller. */
export function DenialActions({ denial }: { denial: DenialRow }) {
  const may = useMay();
  return (
    <span className="form-actions">
      {denial.document ? (
        <Link className="button button-small" href={explainPath(denial)}>
          {commonText.explain}
        </Link>
      ) : (
        <span className="muted small" title={denialsText.notStoredHint}>
          {denialsText.notStored}
        </span>
      )}
      {may('OPERATOR') && <Raise denial={denial} />}
    </span>
  );
}

/**
 * Returns the URL of the explorer with the operation. It uses the id of the document, because URLs
 * have a bounded length.
 */
function explainPath({ document, variables, caller, requestedCost }: DenialRow): string {
  const search = new URLSearchParams({ document: document?.id ?? '', cost: String(requestedCost) });
  if (Object.keys(variables ?? {}).length > 0) search.set('variables', JSON.stringify(variables));
  if (caller.user) search.set('user', caller.user);
  return `/explorer?${search}`;
}

/**
 * Shows a link to the dialog for a larger bucket of the caller, with the cost of the operation. It
 * is shown only if the bucket denied the operation. Otherwise a larger bucket would not help.
 */
function Raise({ denial: { caller, ruleName, requestedCost, code } }: { denial: DenialRow }) {
  const path = (caller.user || caller.tenant) && callerPath(caller);
  // A larger bucket does not help if the budget of the tier, `tier:NAME:budget`, denied the operation.
  if (!path || code !== 'THROTTLED' || !/^tier:[^:]*$/.test(ruleName)) return null;
  return (
    <Link className="button button-small" href={`${path}&raise=${requestedCost}`}>
      {denialsText.raiseLimit}
    </Link>
  );
}
