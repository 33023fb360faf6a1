import type { ReactNode } from 'react';
import { commonText } from '../../text/common-text.js';
import { Empty } from './empty.js';

/** Shows a placeholder for missing usage. */
export function NoTraffic({ title = commonText.noTraffic.title, children }: NoTrafficProps) {
  const operation = JSON.stringify({ query: 'query Hello { __typename }' });
  return (
    <Empty
      title={title}
      command={`curl -s ${window.location.origin}/graphql -H 'content-type: application/json' -d '${operation}'`}
    >
      {children ?? commonText.noTraffic.hint}
    </Empty>
  );
}

interface NoTrafficProps {
  title?: string;
  children?: ReactNode;
}
