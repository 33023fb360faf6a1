import type { ExplainQuery } from '../../generated/graphql.js';
import { Empty } from '../../parts/feedback/empty.js';
import { type StaticColumn, StaticTable } from '../../parts/table/static-table.js';
import { Coordinate } from '../../parts/text/coordinate.js';
import { short, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { explorerText } from '../../text/explorer-text.js';
import { type FieldLine, linesOf, MOST_LINES, sizeInWords } from './explained-field.js';

const { price: text } = explorerText;
const { column } = commonText;

type Explanation = NonNullable<ExplainQuery['costExplain']['explanation']>;

export interface PriceViewProps {
  explanation: Explanation;
  /** Shows the documentation of a field. */
  onField(coordinate: string): void;
}

/** Shows the maximum cost of an operation, field by field, with the source of each size. */
export function PriceView({ explanation, onField }: PriceViewProps) {
  const { cost, nodes, typeCost, fieldCost, tree } = explanation;
  const lines = linesOf(tree);
  const { formula } = (tree ?? {}) as { formula?: string };
  const most = Math.max(1, ...lines.map(({ ownCost }) => ownCost));
  return (
    <>
      <dl className="stats stats-joined">
        <div className="stat">
          <dt>{text.maximum}</dt>
          <dd className="stat-value" data-testid="cost">
            {whole(cost)}
          </dd>
        </div>
        <div className="stat">
          <dt>{text.objects}</dt>
          <dd className="stat-value">{short(nodes)}</dd>
        </div>
        <div className="stat">
          <dt>{text.typeCost}</dt>
          <dd className="stat-value">{short(typeCost)}</dd>
        </div>
        <div className="stat">
          <dt>{text.fieldCost}</dt>
          <dd className="stat-value">{short(fieldCost)}</dd>
        </div>
      </dl>
      {lines.length === 0 ? (
        <Empty title={text.noFields}>{text.noFieldsHint}</Empty>
      ) : (
        <StaticTable
          label={text.fields}
          className="price-table"
          rows={lines}
          columns={columnsOf({ most, total: cost, onField })}
          keyOf={({ path }) => path}
        />
      )}
      {lines.length === MOST_LINES && <p className="muted card-body">{text.firstFields(MOST_LINES)}</p>}
      {formula && (
        <p className="card-body small">
          {text.costPlan} <code>{formula}</code>
        </p>
      )}
    </>
  );
}

interface Scale extends Pick<PriceViewProps, 'onField'> {
  /** Highest cost of a line. */
  most: number;
  /** Cost of the operation. */
  total: number;
}

function columnsOf({ most, total, onField }: Scale): StaticColumn<FieldLine>[] {
  const percentOf = (ownCost: number) => Math.round(total === 0 ? 0 : (100 * ownCost) / total);
  return [
    { title: column.field, show: (line) => <Field line={line} onField={onField} /> },
    { title: column.calls, isNumber: true, show: ({ calls }) => short(calls) },
    { title: column.cost, isNumber: true, show: ({ ownCost }) => whole(ownCost) },
    {
      title: text.share,
      className: 'share',
      show: ({ path, ownCost }) => (
        <progress className="meter" max={most} value={ownCost} aria-label={text.shareOf(path, percentOf(ownCost))} />
      ),
    },
  ];
}

function Field({ line, onField }: { line: FieldLine } & Pick<PriceViewProps, 'onField'>) {
  const { path, coordinate, depth } = line;
  const size = sizeInWords(line);
  return (
    <>
      <span className="muted">{'· '.repeat(depth)}</span>
      <Name>{path.slice(path.lastIndexOf('.') + 1)}</Name>{' '}
      <button
        type="button"
        className="doc-link doc-link-quiet small"
        title={text.showDocs}
        onClick={() => onField(coordinate)}
      >
        <Coordinate>{coordinate}</Coordinate>
      </button>
      {size !== undefined && <p className="small">{text.sizeOf(size)}</p>}
    </>
  );
}
