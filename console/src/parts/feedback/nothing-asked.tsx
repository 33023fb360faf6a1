import type { ReactNode } from 'react';
import { Empty } from './empty.js';

/** Shows a placeholder for missing usage. */
export function NothingAsked({ title = 'Nothing was asked in this time', children }: NothingAskedProps) {
  const operation = JSON.stringify({ query: 'query Hello { __typename }' });
  return (
    <Empty
      title={title}
      command={`curl -s ${window.location.origin}/graphql -H 'content-type: application/json' -d '${operation}'`}
    >
      {children ?? 'Every operation that is priced shows up here within seconds.'}
    </Empty>
  );
}

interface NothingAskedProps {
  title?: string;
  children?: ReactNode;
}
