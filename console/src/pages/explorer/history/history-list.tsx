import { Empty } from '../../../parts/feedback/empty.js';
import { useToast } from '../../../parts/feedback/toasts.js';
import { whole } from '../../../parts/text/format.js';
import { Moment } from '../../../parts/text/moment.js';
import { visibleText } from '../../../parts/text/visible-text.js';
import { explorerText } from '../../../text/explorer-text.js';
import { useOperationHistory, writeHistory } from './operation-history.js';
import type { PricedOperation } from './parse-history.js';

const { history: text } = explorerText;

/** Maximum length of the beginning of an operation that identifies it in the list. */
const MOST_LETTERS = 160;

export interface HistoryListProps {
  onRestore(operation: PricedOperation): void;
  /** Returns the name of an API. Undefined: the name is not needed, because there is only one. */
  titleOf(service: string | null): string | undefined;
}

/** Shows the operations that were priced in this browser, the newest first. */
export function HistoryList({ onRestore, titleOf }: HistoryListProps) {
  const operations = useOperationHistory();
  const toast = useToast();
  if (operations.length === 0) return <Empty title={text.empty}>{text.emptyHint}</Empty>;
  const clear = () => {
    writeHistory([]);
    const undo = async () => {
      writeHistory(operations);
      return undefined;
    };
    toast({ text: text.cleared, undo });
  };
  return (
    <>
      <div className="docs-head">
        <p className="muted small">{text.hint}</p>
        <button type="button" className="button button-small" onClick={clear}>
          {text.clear}
        </button>
      </div>
      <ul className="docs-body docs-list" aria-label={text.title}>
        {operations.map((operation) => {
          const title = titleOf(operation.service);
          const beginning = visibleText(operation.query.replaceAll(/\s+/g, ' ').trim(), MOST_LETTERS);
          return (
            <li key={`${operation.service} ${operation.query} ${operation.variables}`} className="history-entry">
              <button type="button" className="doc-link mono" onClick={() => onRestore(operation)}>
                {beginning}
              </button>
              {operation.variables.trim() !== '' && (
                <code className="muted">
                  {visibleText(operation.variables.replaceAll(/\s+/g, ' ').trim(), MOST_LETTERS)}
                </code>
              )}
              <p className="muted small">
                {text.tokens(whole(operation.cost))} · <Moment at={operation.pricedAt} relative />
                {title !== undefined && ` · ${title}`}
              </p>
            </li>
          );
        })}
      </ul>
    </>
  );
}
