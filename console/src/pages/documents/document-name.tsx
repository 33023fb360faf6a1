import { Link } from 'wouter';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { documentsText } from '../../text/documents-text.js';

interface DocumentNameProps {
  documentId: string;
  operationName?: string | null;
  operationType?: string;
}

/** Shows the operation of a document, with a link to its usage, and the id. */
export function DocumentName({ documentId, operationName, operationType }: DocumentNameProps) {
  return (
    <span className="caller">
      {operationName ? (
        <Link href={`/operations?${new URLSearchParams({ operation: operationName })}`}>
          <Name>{operationName}</Name>
        </Link>
      ) : (
        <em className="muted">{documentsText.version.unnamedOperation}</em>
      )}
      {operationType && <span className="tag">{commonText.operationType(operationType)}</span>}
      <span className="muted small">
        <Name mono>{documentId}</Name>
      </span>
    </span>
  );
}
