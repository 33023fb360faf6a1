import { useQueryClient } from '@tanstack/react-query';
import type { AskedDocument } from '../../api/use-admin.js';
import { CopyButton } from './copy-button.js';

/** What the page asks the administration, for a script that wants to know the same. */
export function CopyQueries() {
  const client = useQueryClient();
  const text = () =>
    client
      .getQueryCache()
      .findAll({ type: 'active' })
      .map(({ meta }) => meta as AskedDocument | undefined)
      .filter((asked) => asked !== undefined)
      .map(({ document, variables }) => `${document.trim()}\n\n# Variables: ${JSON.stringify(variables)}\n`)
      .join('\n');
  return <CopyButton text={text} label="Copy what this page asks as GraphQL" />;
}
