import type { ExportPreviewQuery, UsageGroup } from '../../generated/graphql.js';
import type { Bucket } from '../../parts/range/shown-range.js';
import type { Column } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { Coordinate } from '../../parts/text/coordinate.js';
import { short } from '../../parts/text/format.js';
import { IntegrationName } from '../../parts/text/integration-name.js';
import { Moment } from '../../parts/text/moment.js';
import { utcDay } from '../../parts/text/moments.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { exportText } from '../../text/export-text.js';

const { column } = commonText;
const { preview } = exportText;

type Row = ExportPreviewQuery['usage']['nodes'][number];

/** Returns the columns of the preview: time, groups, and counts. */
export function columnsOf(groups: readonly UsageGroup[], bucket: Bucket): Column<Row>[] {
  return [bucket === 'DAY' ? DAY : FROM, ...groups.map((group) => BY_GROUP[group]), ...COUNTS];
}

const FROM: Column<Row> = { title: preview.from, value: ({ from }) => from, show: ({ from }) => <Moment at={from} /> };

/**
 * Column of the day. Days are in UTC. In local time, browsers west of Greenwich would show the
 * previous day.
 */
const DAY: Column<Row> = {
  title: preview.day,
  value: ({ from }) => from,
  show: ({ from }) => <time dateTime={from}>{utcDay(from)}</time>,
};

const BY_GROUP: Record<UsageGroup, Column<Row>> = {
  CALLER: {
    title: column.caller,
    value: ({ caller }) => caller?.name,
    show: ({ caller }) => caller && <CallerName caller={caller} />,
  },
  TENANT: {
    title: column.tenant,
    value: ({ tenant }) => tenant,
    show: ({ tenant }) => (tenant ? <Name>{tenant}</Name> : <em className="muted">{commonText.none}</em>),
  },
  TIER: { title: column.tier, value: ({ tier }) => tier, show: ({ tier }) => tier && <Name>{tier}</Name> },
  OPERATION: {
    title: column.operation,
    value: ({ operation }) => operation?.name,
    show: ({ operation }) =>
      operation?.name ? (
        <Name>{operation.name}</Name>
      ) : (
        <em className="muted">{commonText.unnamed(operation?.type ?? '')}</em>
      ),
  },
  FIELD: {
    title: column.field,
    value: ({ field }) => field,
    show: ({ field }) => field && <Coordinate>{field}</Coordinate>,
  },
  RULE: { title: column.rule, value: ({ rule }) => rule, show: ({ rule }) => rule && <Name>{rule}</Name> },
  INTEGRATION: {
    title: column.integration,
    value: ({ integration }) => integration,
    show: ({ integration }) => <IntegrationName name={integration} />,
  },
  REGION: {
    title: column.region,
    value: ({ region }) => region,
    show: ({ region }) => (region ? <Name>{region}</Name> : <em className="muted">{commonText.none}</em>),
  },
};

const COUNTS: Column<Row>[] = [
  {
    title: column.requests,
    value: ({ requests }) => requests,
    show: ({ requests }) => short(requests),
    isNumber: true,
  },
  { title: column.denied, value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
  {
    title: preview.estimatedCost,
    value: (row) => row.estimatedCost,
    show: (row) => short(row.estimatedCost),
    isNumber: true,
  },
  { title: preview.actualCost, value: (row) => row.actualCost, show: (row) => short(row.actualCost), isNumber: true },
];
