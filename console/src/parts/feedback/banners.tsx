import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { AdminError } from '../../api/admin-error.js';
import { askAdmin } from '../../api/ask-admin.js';
import { useSession } from '../../app/login/session-context.js';
import { ProblemsDocument } from '../../generated/graphql.js';
import { shellText } from '../../text/shell-text.js';
import { visibleText } from '../text/visible-text.js';
import { useIsAttended } from './use-is-attended.js';

const EVERY_MS = 30_000;
const SOON_MS = 5_000;

/** Banners above every page. */
export function Banners() {
  const problems = useProblems();
  // The session has the version at page load. The polled version replaces it, because the server
  // may be upgraded meanwhile.
  const { version: atFirst } = useSession();
  const version = problems.data?.health.process.version ?? atFirst;
  return (
    <>
      {version !== __TOLLGATE_VERSION__ && (
        <div className="banner" role="status">
          <span>{shellText.banner.upgraded(version, __TOLLGATE_VERSION__)}</span>
          <button type="button" className="button button-small" onClick={() => window.location.reload()}>
            {shellText.banner.reload}
          </button>
        </div>
      )}
      <Degraded {...problems} />
    </>
  );
}

/** Returns the platform's problems and its version, polled while the page is in use. */
function useProblems() {
  const isAttended = useIsAttended();
  // This query has no `meta` with its document, because `copy as GraphQL` must not include it.
  return useQuery({
    queryKey: [ProblemsDocument.toString()],
    queryFn: ({ signal }) => askAdmin(ProblemsDocument, {}, signal),
    // A banner must disappear soon after its problem is solved.
    refetchInterval: ({ state }) => isAttended && (state.error || state.data?.health.ok === false ? SOON_MS : EVERY_MS),
  });
}

/**
 * Shows a banner for an unavailable Redis or PostgreSQL, for unusable rules, or for a platform that
 * does not respond. The health page has the details.
 */
function Degraded({ data, error }: Pick<ReturnType<typeof useProblems>, 'data' | 'error'>) {
  const [location] = useLocation();
  const isCut = error instanceof AdminError && error.code === 'UNREACHABLE';
  const problems = isCut ? [shellText.banner.cannotReach] : (data?.health.problems ?? []);
  const [first] = problems;
  if (first === undefined || (location === '/health' && !isCut)) return null;
  return (
    <div className="banner" role="status">
      <span>
        <strong>{isCut ? shellText.banner.disconnected : shellText.banner.degraded}</strong> {visibleText(first, 200)}
        {problems.length > 1 && ` ${shellText.banner.more(problems.length - 1)}`}
      </span>
      {!isCut && (
        <Link className="button button-small" href="/health">
          {shellText.banner.health}
        </Link>
      )}
    </div>
  );
}
