import { useEffect, useState } from 'react';

/** Time without a change before a text is used, in milliseconds. */
const PAUSE_MS = 400;

/** Returns the text as it was before the current burst of changes: a request per key is too many. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
