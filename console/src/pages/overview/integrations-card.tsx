import { useMemo } from 'react';
import { Link } from 'wouter';
import type { LiveTrafficSubscription, OverviewTopQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { USAGE_COLUMNS } from '../../parts/table/usage-columns.js';
import { measuredRate, short } from '../../parts/text/format.js';
import { IntegrationName } from '../../parts/text/integration-name.js';
import { commonText } from '../../text/common-text.js';
import { overviewText } from '../../text/overview-text.js';

type Traffic = LiveTrafficSubscription['liveTraffic'];
type Integration = OverviewTopQuery['topIntegrations']['nodes'][number];

interface IntegrationsCardProps {
  integrations: readonly Integration[];
  live: Traffic | undefined;
}

const { integrations: text } = overviewText;
const { column } = commonText;

/**
 * Shows the usage by the integration that asked for decisions, and the current traffic of each. It
 * shows nothing on a platform to which no other server sends requests.
 */
export function IntegrationsCard({ integrations, live }: IntegrationsCardProps) {
  const rows = useMemo(() => [...integrations, ...onlyLive(integrations, live)], [integrations, live]);
  const columns = useMemo(() => (live ? [...USAGE, nowColumn(live)] : USAGE), [live]);
  if (!rows.some(({ integration }) => integration)) return null;
  return (
    <Card title={text.title}>
      <DataTable
        name="integrations"
        rows={rows}
        columns={columns}
        keyOf={({ integration }) => integration ?? ''}
        empty={null}
      />
    </Card>
  );
}

/** Returns a row for each integration whose usage is not stored yet. */
function onlyLive(known: readonly Integration[], live: Traffic | undefined): Integration[] {
  const names = new Set(known.map(({ integration }) => integration ?? null));
  return (live?.integrations ?? [])
    .filter(({ integration }) => !names.has(integration ?? null))
    .map(({ integration }) => ({ integration: integration ?? null, actualCost: 0, requests: 0, denied: 0, share: 0 }));
}

const USAGE: Column<Integration>[] = [
  {
    title: column.integration,
    value: ({ integration }) => integration,
    show: ({ integration }) => <IntegrationName name={integration} />,
  },
  ...USAGE_COLUMNS,
  {
    title: column.denied,
    value: ({ denied }) => denied,
    show: ({ integration, denied }) =>
      integration ? <Link href={`/denials?integration=${integration}`}>{short(denied)}</Link> : short(denied),
    isNumber: true,
  },
];

function nowColumn({ integrations, periodMs }: Traffic): Column<Integration> {
  const rateOf = ({ integration }: Integration) =>
    ((integrations.find((one) => one.integration === integration)?.decisions ?? 0) * 1000) / periodMs;
  return {
    title: overviewText.busiest.column,
    value: rateOf,
    show: (row) => overviewText.busiest.perSecond(measuredRate(rateOf(row))),
    isNumber: true,
  };
}
