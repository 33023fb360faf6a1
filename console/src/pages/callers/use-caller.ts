import { useMemo } from 'react';
import { ownScopes } from '../../../../src/model/subject.js';
import { serverNow } from '../../api/server-clock.js';
import { useAdmin } from '../../api/use-admin.js';
import { CallerNowDocument, CallerSeenDocument, StoredCallerDocument } from '../../generated/graphql.js';
import { BUCKET_MS, rangeInput, readRange } from '../../parts/range/shown-range.js';

/** Names of the caller in the URL. Names that are missing there are absent. */
export interface CallerInAddress {
  user?: string;
  tenant?: string;
  apiKey?: string;
  ip?: string;
}

/**
 * Refresh interval of the buckets, in milliseconds. It slightly exceeds the animation of their bars
 * (0.9 s).
 */
const REFILL_MS = 1000;

/** Interval at which the page looks for the first request of an unknown caller, in milliseconds. */
const SEEN_MS = 10_000;

/** Retention of usage, in days. The admin API rejects longer ranges. */
const USAGE_DAYS = 400;

/**
 * Reads a caller: what they can spend now, their stored data, and whether they exist.
 * @param mostLimits maximum number of limits. Null: all
 */
export function useCaller(who: CallerInAddress, mostLimits: number | null) {
  const { user, tenant, apiKey } = who;
  const about = JSON.stringify(who);
  const isNamed = Object.keys(who).length > 0;
  const canBeStored = user !== undefined || tenant !== undefined;
  const now = useAdmin(CallerNowDocument, { who, mostLimits }, { everyMs: REFILL_MS, enabled: isNamed, about });
  const stored = useAdmin(
    StoredCallerDocument,
    { user, tenant, isUserOfTenant: user !== undefined && tenant !== undefined },
    { enabled: canBeStored, about },
  );
  const quota = now.data?.quota;
  const own = ownScopes(who);
  // Usage is recorded seconds after a request, but the counters change immediately.
  const spends = quota?.limits.some(({ scope, limit, remaining }) => own.includes(scope) && remaining < limit);
  // The quota of an API key is null if the key is not valid.
  const exists = Boolean(stored.data?.subject || spends || (apiKey !== undefined && quota));
  const range = useMemo(() => {
    const days = readRange('30d', serverNow());
    return rangeInput({ ...days, fromMs: days.toMs - USAGE_DAYS * BUCKET_MS.DAY });
  }, []);
  const seen = useAdmin(
    CallerSeenDocument,
    { range, filter: who },
    { everyMs: SEEN_MS, enabled: isNamed && !exists, about },
  );
  const isComplete = now.data !== undefined && (stored.data !== undefined || !canBeStored) && seen.data !== undefined;
  return {
    now,
    stored,
    canBeStored,
    /** Whether the caller is not stored and has never sent a request. */
    isAbsent: !exists && isComplete && seen.data?.usage.nodes.length === 0,
    /** Whether the caller is stored or has sent a request. False while this is unknown. */
    isKnown: exists || (seen.data?.usage.nodes.length ?? 0) > 0,
  };
}
