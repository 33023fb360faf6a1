import { Link } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { PricesToMendDocument, type PricesToMendQuery } from '../../generated/graphql.js';
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
import { suggestion } from './price-words.js';

/**
 * Prices that differ from the actual costs, with the annotation that corrects each, and prices that
 * are guesses.
 */
export function ToMend({ range, service }: { range: RangeInUse; service: string | null }) {
  const query = useAdmin(PricesToMendDocument, { range: rangeInput(range), service }, { everyMs: range.everyMs });
  return (
    <Load query={query} rows={8}>
      {({ fieldAccuracy, guessedPrices }) => (
        <div className="page-parts">
          <Card title="Beside what calls came to" aside="The most tokens first">
            <DataTable
              name="drift"
              rows={fieldAccuracy.filter((row) => suggestion(row) !== undefined)}
              columns={DRIFT}
              keyOf={({ field }) => field}
              empty={<Empty title="All prices that can be annotated are as calls came to in this time" />}
            />
          </Card>
          <Card title="Guesses" aside="Lists of which nothing says how long they are">
            <DataTable
              name="guesses"
              rows={guessedPrices}
              columns={GUESSES}
              keyOf={({ coordinate }) => coordinate}
              empty={<Empty title="No price is a guess" />}
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

const DRIFT: Column<PricesToMendQuery['fieldAccuracy'][number]>[] = [
  { title: 'Field', value: ({ field }) => field, show: ({ field }) => <FieldLink field={field} /> },
  {
    title: 'A call is priced',
    value: (row) => row.estimatedCostPerCall,
    show: (row) => (row.estimatedCostPerCall == null ? '–' : short(row.estimatedCostPerCall)),
    isNumber: true,
  },
  {
    title: 'and came to',
    value: (row) => row.actualCostPerCall,
    show: (row) => (row.actualCostPerCall == null ? '–' : short(row.actualCostPerCall)),
    isNumber: true,
  },
  {
    title: 'Tokens beside it',
    value: ({ actualCost, estimatedCost }) => Math.abs(actualCost - estimatedCost),
    show: ({ actualCost, estimatedCost }) => short(Math.abs(actualCost - estimatedCost)),
    isNumber: true,
  },
  {
    title: 'What would mend it',
    value: suggestion,
    show: (row) => {
      const text = suggestion(row)!;
      return (
        <span className="copyable">
          <code>{text}</code>
          <CopyButton text={text} label="Copy the annotation" />
        </span>
      );
    },
  },
];

const GUESSES: Column<PricesToMendQuery['guessedPrices'][number]>[] = [
  { title: 'Field', value: ({ coordinate }) => coordinate, show: ({ coordinate }) => <FieldLink field={coordinate} /> },
  { title: 'What to add', value: ({ message }) => message, show: ({ message }) => visibleText(message, 400) },
];
