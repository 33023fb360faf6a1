import { Link } from 'wouter';
import type { Column } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { duration, whole } from '../../parts/text/format.js';
import { IntegrationName } from '../../parts/text/integration-name.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { denialsText } from '../../text/denials-text.js';
import type { DenialRow } from './denial-actions.js';

const { column } = commonText;
const { tag } = denialsText;

/** Shows the version of the app that has registered the document of an operation. */
function RegisteredTag({ app, version, documentId }: NonNullable<DenialRow['registeredDocument']>) {
  return (
    <Link className="tag" title={documentId} href={`/documents-of?${new URLSearchParams({ app, version })}`}>
      <Name>{`${app} ${version}`}</Name>
    </Link>
  );
}

/**
 * Returns the columns of a list of denials. The integration is a column if other servers asked for
 * some of the decisions, and the region if some servers have one.
 */
export function denialColumns(rows: readonly DenialRow[]): Column<DenialRow>[] {
  return [
    ...COLUMNS,
    ...(rows.some(({ integration }) => integration) ? [INTEGRATION] : []),
    ...(rows.some(({ region }) => region) ? [REGION] : []),
  ];
}

const REGION: Column<DenialRow> = {
  title: column.region,
  value: ({ region }) => region,
  show: ({ region }) => region && <Name>{region}</Name>,
};

const INTEGRATION: Column<DenialRow> = {
  title: column.integration,
  value: ({ integration }) => integration,
  show: ({ integration, service }) => (
    <span className="caller">
      <IntegrationName name={integration} />
      {service && <span className="tag">{visibleText(service)}</span>}
    </span>
  ),
};

const COLUMNS: Column<DenialRow>[] = [
  { title: column.time, value: ({ at }) => at, show: ({ at }) => <Moment at={at} /> },
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: column.limit,
    value: ({ ruleName }) => ruleName,
    show: ({ ruleName, shadow, code, field, degraded }) => (
      <span className="caller">
        <Name>{ruleName}</Name>
        {field && field !== '*' && <span className="tag">{field}</span>}
        {shadow && <span className="pill pill-warn">{tag.shadow}</span>}
        {code === 'MAX_COST_EXCEEDED' && <span className="pill pill-bad">{tag.maxCostExceeded}</span>}
        {code === 'UNAVAILABLE' && <span className="pill pill-bad">{tag.unavailable}</span>}
        {degraded && <span className="pill">{tag.degraded}</span>}
      </span>
    ),
  },
  {
    title: column.operation,
    value: ({ operation }) => operation.name,
    show: ({ operation, registeredDocument }) => (
      <span className="caller">
        {operation.name ? (
          <Name>{operation.name}</Name>
        ) : (
          <em className="muted">{commonText.unnamed(operation.type)}</em>
        )}
        {registeredDocument && <RegisteredTag {...registeredDocument} />}
      </span>
    ),
  },
  {
    title: column.cost,
    value: ({ charge, requestedCost }) => charge ?? requestedCost,
    show: ({ charge, requestedCost }) => whole(charge ?? requestedCost),
    isNumber: true,
  },
  {
    title: denialsText.column.available,
    value: ({ remaining }) => remaining,
    show: ({ remaining, limit }) =>
      remaining == null
        ? commonText.notAvailable
        : limit
          ? commonText.ofTotal(whole(remaining), whole(limit))
          : whole(remaining),
    isNumber: true,
  },
  {
    title: denialsText.column.retryAfter,
    value: ({ retryAfterMs }) => retryAfterMs,
    show: ({ retryAfterMs }) => (retryAfterMs == null ? denialsText.never : duration(retryAfterMs)),
    isNumber: true,
  },
];
