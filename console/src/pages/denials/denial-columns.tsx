import type { Column } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { duration, whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import type { DenialRow } from './denial-actions.js';

/** Columns of a list of denials. */
export const DENIAL_COLUMNS: Column<DenialRow>[] = [
  { title: 'When', value: ({ at }) => at, show: ({ at }) => <Moment at={at} /> },
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: 'Limit',
    value: ({ ruleName }) => ruleName,
    show: ({ ruleName, shadow, code, field, degraded }) => (
      <span className="caller">
        <Name>{ruleName}</Name>
        {field && field !== '*' && <span className="tag">{field}</span>}
        {shadow && <span className="pill pill-warn">shadow</span>}
        {code === 'MAX_COST_EXCEEDED' && <span className="pill pill-bad">too expensive</span>}
        {code === 'UNAVAILABLE' && <span className="pill pill-bad">unavailable</span>}
        {degraded && <span className="pill">degraded</span>}
      </span>
    ),
  },
  {
    title: 'Operation',
    value: ({ operation }) => operation.name,
    show: ({ operation }) =>
      operation.name ? (
        <Name>{operation.name}</Name>
      ) : (
        <em className="muted">unnamed {operation.type.toLowerCase()}</em>
      ),
  },
  {
    title: 'Needed',
    value: ({ charge, requestedCost }) => charge ?? requestedCost,
    show: ({ charge, requestedCost }) => whole(charge ?? requestedCost),
    isNumber: true,
  },
  {
    title: 'Had',
    value: ({ remaining }) => remaining,
    show: ({ remaining, limit }) =>
      remaining == null ? '–' : `${whole(remaining)}${limit ? ` of ${whole(limit)}` : ''}`,
    isNumber: true,
  },
  {
    title: 'Retry after',
    value: ({ retryAfterMs }) => retryAfterMs,
    show: ({ retryAfterMs }) => (retryAfterMs == null ? 'never' : duration(retryAfterMs)),
    isNumber: true,
  },
];
