import { useEffect, useState } from 'react';
import { listen } from '../../api/listen-to-admin.js';
import { LiveTrafficDocument, type LiveTrafficSubscription } from '../../generated/graphql.js';

export interface LiveTrafficInUse {
  latest: LiveTrafficSubscription['liveTraffic'] | undefined;
  /** The stream was open and is not any more, or could not be opened. */
  isCut: boolean;
}

const LONGEST_WAIT_MS = 15_000;
/** The platform sends an event every second: a stream that has been silent for this long is taken for disconnected. */
const SILENT_MS = 10_000;
/** Callers that are listed. */
const TOP = 5;

/** What is decided this second; opened again, ever more slowly, where it is cut. */
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
        // Whatever the reason, it is tried again, and the page says so.
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
