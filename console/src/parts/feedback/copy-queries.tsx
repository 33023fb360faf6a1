import { useQueryClient } from '@tanstack/react-query';
import type { AskedDocument } from '../../api/use-admin.js';
import { commonText } from '../../text/common-text.js';
import { CopyButton } from './copy-button.js';

/** Shows a button that copies the queries of the page, for use in a script. */
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
  return <CopyButton text={text} label={commonText.copy.queries} />;
}
