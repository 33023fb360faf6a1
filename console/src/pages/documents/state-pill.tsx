import type { DocumentVersionState } from '../../generated/graphql.js';
import { documentsText } from '../../text/documents-text.js';

const CLASSES: Record<DocumentVersionState, string> = {
  DRAFT: 'pill pill-warn',
  PUBLISHED: 'pill pill-good',
  RETIRED: 'pill',
};

/** Shows whether callers can send the documents of a version. */
export function StatePill({ state }: { state: DocumentVersionState }) {
  return <span className={CLASSES[state]}>{documentsText.states[state]}</span>;
}
