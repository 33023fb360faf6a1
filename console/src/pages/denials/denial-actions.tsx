import { Link } from 'wouter';
import { useMay } from '../../app/login/session-context.js';
import type { DenialsQuery } from '../../generated/graphql.js';
import { callerPath } from '../../parts/text/caller-path.js';

export type DenialRow = DenialsQuery['denials']['nodes'][number];

/** What can be done about a denial: see why it cost what it did, and give the caller more. */
export function DenialActions({ denial }: { denial: DenialRow }) {
  const may = useMay();
  return (
    <span className="form-actions">
      {denial.document ? (
        <Link className="button button-small" href={explainPath(denial)}>
          Explain
        </Link>
      ) : (
        <span className="muted small" title="What was asked for was not kept, so that it cannot be explained.">
          not kept
        </span>
      )}
      {may('OPERATOR') && <Raise denial={denial} />}
    </span>
  );
}

/** The explorer with what was asked for. By the id of the document, as addresses are bounded in length. */
function explainPath({ document, variables, caller, requestedCost }: DenialRow): string {
  const search = new URLSearchParams({ document: document?.id ?? '', cost: String(requestedCost) });
  if (Object.keys(variables ?? {}).length > 0) search.set('variables', JSON.stringify(variables));
  if (caller.user) search.set('user', caller.user);
  return `/explorer?${search}`;
}

/** The way to a larger bucket for the caller, with what the operation needed. Only what a tier denied is mended by that. */
function Raise({ denial: { caller, ruleName, requestedCost, code } }: { denial: DenialRow }) {
  const path = (caller.user || caller.tenant) && callerPath(caller);
  if (!path || code !== 'THROTTLED' || !ruleName.startsWith('tier:')) return null;
  return (
    <Link className="button button-small" href={`${path}&raise=${requestedCost}`}>
      Raise limit
    </Link>
  );
}
