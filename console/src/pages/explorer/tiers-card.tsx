import type { ReactNode } from 'react';
import { useAdmin } from '../../api/use-admin.js';
import { PriceByTierDocument, type PriceByTierQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Load } from '../../parts/feedback/load.js';
import { type StaticColumn, StaticTable } from '../../parts/table/static-table.js';
import { short } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { explorerText } from '../../text/explorer-text.js';
import { type Bucket, bucketOf } from '../tiers/bucket-text.js';

const { tiers: text } = explorerText;

type Tier = PriceByTierQuery['tiers']['nodes'][number];

/** Shows how many operations of this cost the bucket of each tier allows. Rules are ignored. */
export function TiersCard({ cost }: { cost: number }) {
  const query = useAdmin(PriceByTierDocument, {});
  return (
    <Card title={text.title}>
      <Load query={query} rows={3}>
        {({ tiers }) => (
          <StaticTable
            label={commonText.table.label(text.title)}
            className="table-dense"
            rows={tiers.nodes.filter(({ retiredAt }) => !retiredAt)}
            columns={columnsOf(cost)}
            keyOf={({ name }) => name}
            restOf={(tier) => tooExpensive(tier, cost)}
          />
        )}
      </Load>
    </Card>
  );
}

function tooExpensive({ capacity, maxCostPerOperation }: Tier, cost: number): ReactNode {
  const most = Math.min(capacity ?? Number.POSITIVE_INFINITY, maxCostPerOperation ?? Number.POSITIVE_INFINITY);
  if (cost <= most) return undefined;
  return (
    <>
      <span className="pill pill-bad">{text.tooExpensive}</span> {text.maximum(short(most))}
    </>
  );
}

function columnsOf(cost: number): StaticColumn<Tier>[] {
  const perMinute = ({ refillAmount, refillPeriodMs }: Bucket) => (refillAmount * 60_000) / refillPeriodMs;
  const ofBucket = (show: (bucket: Bucket) => string) => (tier: Tier) => {
    const bucket = bucketOf(tier);
    return isFree || !bucket ? text.unlimited : show(bucket);
  };
  const isFree = cost === 0;
  return [
    {
      title: text.tier,
      show: ({ name, isDefault }) => (
        <>
          <Name>{name}</Name> {isDefault && <span className="tag">{commonText.defaultTag}</span>}
        </>
      ),
    },
    {
      title: text.burst,
      isNumber: true,
      show: ofBucket(({ capacity }) => text.times(short(Math.floor(capacity / cost)))),
    },
    {
      title: text.sustained,
      isNumber: true,
      show: ofBucket((bucket) => text.perMinute(short(perMinute(bucket) / cost))),
    },
    {
      title: text.share,
      isNumber: true,
      show: ({ capacity }) => (capacity == null ? '' : `${Math.round((100 * cost) / capacity)}%`),
    },
  ];
}
