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
import { rulesText } from '../../text/rules-text.js';
import { streamsText } from '../../text/streams-text.js';
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

/** Returns an amount of the limit that denied, with its unit if the limit does not count tokens. */
function amountText(amount: string, count: number, { rule }: DenialRow): string {
  if (!rule || rule.measure === 'COST') return amount;
  return `${amount} ${rulesText.units[rule.measure][count === 1 ? 0 : 1]}`;
}

/** Shows the name of the operation. A WebSocket is denied before it has an operation. */
function OperationName({ of: { operation, rule } }: { of: DenialRow }) {
  if (rule?.measure === 'CONNECTIONS') return <em className="muted">{streamsText.kinds.CONNECTION}</em>;
  if (!operation.name) return <em className="muted">{commonText.unnamed(operation.type)}</em>;
  return (
    <>
      <Name>{operation.name}</Name>
      {operation.type === 'SUBSCRIPTION' && <span className="tag">{commonText.operationType(operation.type)}</span>}
    </>
  );
}

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
    show: (row) => (
      <span className="caller">
        <OperationName of={row} />
        {row.registeredDocument && <RegisteredTag {...row.registeredDocument} />}
      </span>
    ),
  },
  {
    title: column.cost,
    value: ({ charge, requestedCost }) => charge ?? requestedCost,
    show(row) {
      const amount = row.charge ?? row.requestedCost;
      return row.charge == null ? whole(amount) : amountText(whole(amount), amount, row);
    },
    isNumber: true,
  },
  {
    title: denialsText.column.available,
    value: ({ remaining }) => remaining,
    show(row) {
      const { remaining, limit } = row;
      if (remaining == null) return commonText.notAvailable;
      const amount = limit ? commonText.ofTotal(whole(remaining), whole(limit)) : whole(remaining);
      return amountText(amount, limit || remaining, row);
    },
    isNumber: true,
  },
  {
    title: denialsText.column.retryAfter,
    value: ({ retryAfterMs }) => retryAfterMs,
    show: ({ retryAfterMs }) => (retryAfterMs == null ? denialsText.never : duration(retryAfterMs)),
    isNumber: true,
  },
];
