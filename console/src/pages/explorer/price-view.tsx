import type { ExplainQuery } from '../../generated/graphql.js';
import { Empty } from '../../parts/feedback/empty.js';
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
        <Empty title={text.noFields} />
      ) : (
        <div className="table-scroll">
          <table className="table price-table">
            <thead>
              <tr>
                <th scope="col">{column.field}</th>
                <th scope="col" className="number">
                  {column.calls}
                </th>
                <th scope="col" className="number">
                  {column.cost}
                </th>
                <th scope="col" className="share">
                  {text.share}
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <Line key={line.path} line={line} most={most} total={cost} onField={onField} />
              ))}
            </tbody>
          </table>
        </div>
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

interface LineProps extends Pick<PriceViewProps, 'onField'> {
  line: FieldLine;
  most: number;
  total: number;
}

function Line({ line, most, total, onField }: LineProps) {
  const { path, coordinate, depth, calls, ownCost } = line;
  const share = total === 0 ? 0 : ownCost / total;
  const size = sizeInWords(line);
  return (
    <tr>
      <td>
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
      </td>
      <td className="number">{short(calls)}</td>
      <td className="number">{whole(ownCost)}</td>
      <td className="share">
        <progress
          className="meter"
          max={most}
          value={ownCost}
          aria-label={text.shareOf(path, Math.round(share * 100))}
        />
      </td>
    </tr>
  );
}
