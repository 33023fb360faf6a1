import { useMemo } from 'react';
import type { DenialFilter } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { LazyChart } from '../../parts/chart/lazy-chart.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { BUCKET_MS, zoomedRange } from '../../parts/range/shown-range.js';
import type { RangeInUse } from '../../parts/range/use-range.js';
import { whole } from '../../parts/text/format.js';
import { commonText } from '../../text/common-text.js';
import { denialsText } from '../../text/denials-text.js';
import { type DenialPoint, denialCounts } from './denial-counts.js';
import { ignoredMembers } from './ignored-members.js';
import { useDenialsOverTime } from './use-denials-over-time.js';

const { chart } = denialsText;
const DENIED = { title: commonText.chart.denied, color: '--denied' };
const SHADOW = { title: denialsText.type.shadow, color: '--shadowed' };
const BOTH = [DENIED, SHADOW];
const [ONLY_DENIED, ONLY_SHADOW] = [[DENIED], [SHADOW]];

/** Shows the exact numbers of denials over time. */
export function DenialChart({ range, filter }: { range: RangeInUse; filter: DenialFilter }) {
  const query = useDenialsOverTime(range, filter);
  const shadow = filter.shadow ?? undefined;
  const ignored = ignoredMembers(filter);
  const notes = [ignored.rule && chart.ruleIgnored, ignored.integration && chart.integrationIgnored];
  return (
    <Card
      title={chart.title}
      className="card-chart"
      aside={
        <>
          {shadow !== true && <span className="legend legend-denied">{DENIED.title}</span>}
          {shadow !== false && <span className="legend legend-shadow">{SHADOW.title}</span>}
          <span>{chart.bucket[range.bucket]}</span>
        </>
      }
    >
      <Load query={query} rows={8}>
        {(points) => <Filled points={points} range={range} shadow={shadow} note={notes.filter(Boolean).join(' ')} />}
      </Load>
    </Card>
  );
}

interface FilledProps {
  points: readonly DenialPoint[];
  range: RangeInUse;
  shadow: boolean | undefined;
  note: string;
}

function Filled({ points, range, shadow, note }: FilledProps) {
  const { fromMs, toMs, bucket } = range;
  const counts = useMemo(
    () => denialCounts(points, { fromMs, toMs, bucketMs: BUCKET_MS[bucket] }),
    [points, fromMs, toMs, bucket],
  );
  const { times, denied, shadowDenied } = counts;
  const data = useMemo<[number[], ...number[][]]>(() => {
    if (shadow !== undefined) return [times, shadow ? shadowDenied : denied];
    return [times, denied, denied.map((count, at) => count + shadowDenied[at]!)];
  }, [times, denied, shadowDenied, shadow]);
  const [ofDenied, ofShadow] = [sumOf(denied), sumOf(shadowDenied)];
  const total = (shadow === true ? 0 : ofDenied) + (shadow === false ? 0 : ofShadow);
  if (total === 0) return <Empty title={chart.empty}>{chart.emptyHint}</Empty>;
  return (
    <>
      <LazyChart
        data={data}
        layers={shadow === undefined ? BOTH : shadow ? ONLY_SHADOW : ONLY_DENIED}
        isByDay={bucket === 'DAY'}
        label={chart.label(whole(ofDenied), whole(ofShadow))}
        onSelect={(from, to) => range.set(zoomedRange(from, to))}
      />
      <p className="card-note">
        {chart.total(whole(ofDenied), whole(ofShadow))} {note}
      </p>
    </>
  );
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
