import { useEffect, useState } from 'react';
import { listen } from '../../api/listen-to-admin.js';
import { LiveTrafficDocument, type LiveTrafficSubscription } from '../../generated/graphql.js';

export interface LiveTrafficInUse {
  latest: LiveTrafficSubscription['liveTraffic'] | undefined;
  /** Whether the stream has broken, or could not be opened. */
  isCut: boolean;
}

const LONGEST_WAIT_MS = 15_000;
/**
 * Silence after which a stream counts as disconnected, in milliseconds. The platform sends an event
 * every second.
 */
const SILENT_MS = 10_000;
/** Maximum number of callers in the list. */
const TOP = 5;

/** Returns the current traffic. A broken stream is opened again, with a growing delay. */
export function useLiveTraffic(isOn: boolean): LiveTrafficInUse {
  const [latest, setLatest] = useState<LiveTrafficInUse['latest']>();
  const [isCut, setCut] = useState(false);

  useEffect(() => {
    if (!isOn) return;
    let isGone = false;
    let stream = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hear = () => {
      clearTimeout(timer);
      timer = setTimeout(() => stream.abort(), SILENT_MS);
    };
    let waitMs = 1000;
    const open = async () => {
      stream = new AbortController();
      hear();
      try {
        await listen(
          LiveTrafficDocument,
          { top: TOP },
          {
            onOpen: () => {
              hear();
              waitMs = 1000;
              setCut(false);
            },
            onData: ({ liveTraffic }) => {
              hear();
              setLatest(liveTraffic);
            },
          },
          stream.signal,
        );
      } catch {
        // Any failure leads to another attempt, and the page shows it.
      }
      clearTimeout(timer);
      if (isGone) return;
      setCut(true);
      setLatest(undefined);
      timer = setTimeout(() => void open(), waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    };
    void open();
    return () => {
      isGone = true;
      stream.abort();
      clearTimeout(timer);
      setLatest(undefined);
      setCut(false);
    };
  }, [isOn]);

  return { latest, isCut };
}
