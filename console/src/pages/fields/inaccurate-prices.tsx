import { Link } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { InaccuratePricesDocument, type InaccuratePricesQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { CopyButton } from '../../parts/feedback/copy-button.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import type { RangeInUse } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Coordinate } from '../../parts/text/coordinate.js';
import { short } from '../../parts/text/format.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { fieldsText } from '../../text/fields-text.js';
import { suggestion } from './price-words.js';

const { accuracy, unsized } = fieldsText;
const { column, notAvailable } = commonText;

/**
 * Prices that differ from the actual costs, with the annotation that corrects each, and lists
 * without a known size.
 */
export function InaccuratePrices({ range, service }: { range: RangeInUse; service: string | null }) {
  const query = useAdmin(InaccuratePricesDocument, { range: rangeInput(range), service }, { everyMs: range.everyMs });
  return (
    <Load query={query} rows={8}>
      {({ fieldAccuracy, guessedPrices }) => (
        <div className="page-parts">
          <Card title={accuracy.title} aside={accuracy.hint}>
            <DataTable
              name="accuracy"
              rows={fieldAccuracy.filter((row) => suggestion(row) !== undefined)}
              columns={ACCURACY}
              keyOf={({ field }) => field}
              empty={<Empty title={accuracy.empty}>{accuracy.emptyHint}</Empty>}
            />
          </Card>
          <Card title={unsized.title} aside={unsized.hint}>
            <DataTable
              name="unsized-lists"
              rows={guessedPrices}
              columns={UNSIZED}
              keyOf={({ coordinate }) => coordinate}
              empty={<Empty title={unsized.empty}>{unsized.emptyHint}</Empty>}
            />
          </Card>
        </div>
      )}
    </Load>
  );
}

function FieldLink({ field }: { field: string }) {
  return (
    <Link href={`/fields?${new URLSearchParams({ field })}`}>
      <Coordinate>{field}</Coordinate>
    </Link>
  );
}

const ACCURACY: Column<InaccuratePricesQuery['fieldAccuracy'][number]>[] = [
  { title: column.field, value: ({ field }) => field, show: ({ field }) => <FieldLink field={field} /> },
  {
    title: accuracy.estimatePerCall,
    value: (row) => row.estimatedCostPerCall,
    show: (row) => (row.estimatedCostPerCall == null ? notAvailable : short(row.estimatedCostPerCall)),
    isNumber: true,
  },
  {
    title: accuracy.actualPerCall,
    value: (row) => row.actualCostPerCall,
    show: (row) => (row.actualCostPerCall == null ? notAvailable : short(row.actualCostPerCall)),
    isNumber: true,
  },
  {
    title: accuracy.difference,
    value: ({ actualCost, estimatedCost }) => Math.abs(actualCost - estimatedCost),
    show: ({ actualCost, estimatedCost }) => short(Math.abs(actualCost - estimatedCost)),
    isNumber: true,
  },
  {
    title: accuracy.suggestion,
    value: suggestion,
    show: (row) => {
      const text = suggestion(row)!;
      return (
        <span className="copyable">
          <code>{text}</code>
          <CopyButton text={text} label={accuracy.copy} />
        </span>
      );
    },
  },
];

const UNSIZED: Column<InaccuratePricesQuery['guessedPrices'][number]>[] = [
  {
    title: column.field,
    value: ({ coordinate }) => coordinate,
    show: ({ coordinate }) => <FieldLink field={coordinate} />,
  },
  { title: unsized.suggestion, value: ({ message }) => message, show: ({ message }) => visibleText(message, 400) },
];
