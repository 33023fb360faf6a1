import { useEffect, useState } from 'react';

/** Short beside the half hour after which a session that is not used ends. */
export const ATTENDED_MS = 5 * 60_000;

/**
 * Whether somebody used keys or pointer in the last so many milliseconds. What a page asks by itself counts as use of the
 * session: where nobody looks at it, the session is to end.
 */
export function useIsAttended(withinMs: number): boolean {
  const [isAttended, setAttended] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const used = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setAttended(false), withinMs);
      setAttended(true);
    };
    used();
    const events = ['pointerdown', 'pointermove', 'keydown'] as const;
    for (const event of events) window.addEventListener(event, used, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of events) window.removeEventListener(event, used);
    };
  }, [withinMs]);
  return isAttended;
}
