import type { OverviewTopQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { DENIED_COLUMN, USAGE_COLUMNS } from '../../parts/table/usage-columns.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { overviewText } from '../../text/overview-text.js';

type Region = OverviewTopQuery['topRegions']['nodes'][number];

const { column } = commonText;

/** Shows the usage by region. It shows nothing if no server has a region. */
export function RegionsCard({ regions }: { regions: readonly Region[] }) {
  if (!regions.some(({ region }) => region)) return null;
  return (
    <Card title={overviewText.regions.title}>
      <DataTable name="regions" rows={regions} columns={USAGE} keyOf={({ region }) => region ?? ''} empty={null} />
    </Card>
  );
}

const USAGE: Column<Region>[] = [
  {
    title: column.region,
    value: ({ region }) => region,
    show: ({ region }) => (region ? <Name>{region}</Name> : <em className="muted">{commonText.none}</em>),
  },
  ...USAGE_COLUMNS,
  DENIED_COLUMN,
];
