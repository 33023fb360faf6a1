import { useEffect, useState } from 'react';

/** Time without a change before a text is used, in milliseconds. */
const PAUSE_MS = 400;

/**
 * Returns the text after a pause in its changes, and its previous value until then. So a page does
 * not send a request for each key press.
 */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
