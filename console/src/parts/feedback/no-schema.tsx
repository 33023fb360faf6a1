import { useEffect, useRef } from 'react';
import { useAdmin } from '../../api/use-admin.js';
import { ApisDocument } from '../../generated/graphql.js';
import { commonText } from '../../text/common-text.js';
import { Empty } from './empty.js';

const { noSchema: text } = commonText;

/** Interval at which the component requests the list of APIs, in milliseconds. */
const LOOK_MS = 3_000;

/**
 * Shows how to make an API known to the platform, while the platform knows none.
 * @param onKnown called when the platform knows an API
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
