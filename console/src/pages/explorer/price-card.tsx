import type { ExplainQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { short, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { explorerText } from '../../text/explorer-text.js';
import { type FieldLine, linesOf, MOST_LINES, sizeInWords } from './explained-field.js';

const { price: text } = explorerText;
const { column } = commonText;

type Explanation = NonNullable<ExplainQuery['costExplain']['explanation']>;

/** Shows the maximum cost of an operation, field by field, with the source of each size. */
export function PriceCard({ explanation }: { explanation: Explanation }) {
  const { cost, nodes, typeCost, fieldCost, tree } = explanation;
  const lines = linesOf(tree);
  const { formula } = (tree ?? {}) as { formula?: string };
  const most = Math.max(1, ...lines.map(({ ownCost }) => ownCost));
  return (
    <Card title={text.title}>
      <dl className="stats">
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
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{column.field}</th>
                <th scope="col">{text.size}</th>
                <th scope="col" className="number">
                  {column.calls}
                </th>
                <th scope="col" className="number">
                  {column.cost}
                </th>
                <th scope="col">{text.share}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <Line key={line.path} line={line} most={most} total={cost} />
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
    </Card>
  );
}

function Line({ line, most, total }: { line: FieldLine; most: number; total: number }) {
  const { path, coordinate, depth, calls, ownCost } = line;
  const share = total === 0 ? 0 : ownCost / total;
  return (
    <tr>
      <td>
        <span className="muted">{'· '.repeat(depth)}</span>
        <Name>{path.slice(path.lastIndexOf('.') + 1)}</Name> <span className="muted small">{coordinate}</span>
      </td>
      <td className="small">{sizeInWords(line) ?? ''}</td>
      <td className="number">{short(calls)}</td>
      <td className="number">{whole(ownCost)}</td>
      <td>
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
