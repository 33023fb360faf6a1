import { useEffect, useRef } from 'react';
import { useAdmin } from '../../api/use-admin.js';
import { ApisDocument } from '../../generated/graphql.js';
import { commonText } from '../../text/common-text.js';
import { Empty } from './empty.js';

const { noSchema: text } = commonText;

/** Time between two looks for an API, in milliseconds. */
const LOOK_MS = 3_000;

/**
 * Shows how the platform gets to know an API, while it knows none.
 * @param onKnown called when it knows one
 */
export function NoSchema({ onKnown }: { onKnown?: () => void }) {
  const { data } = useAdmin(ApisDocument, {}, { everyMs: LOOK_MS });
  const isKnown = data !== undefined && (data.ownApi != null || data.services.length > 0);
  const latest = useRef(onKnown);
  latest.current = onKnown;
  useEffect(() => {
    if (isKnown) latest.current?.();
  }, [isKnown]);
  return (
    <>
      <Empty title={text.title} command={text.line}>
        {text.publish}
      </Empty>
      <Empty title={text.forwardTitle} command={text.command}>
        {text.forward}
      </Empty>
    </>
  );
}
