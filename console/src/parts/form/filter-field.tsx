import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { withParam } from '../range/use-range.js';

/** Pause in typing before a request, in milliseconds. It avoids a request per letter. */
const PAUSE_MS = 300;

/** Shows a field for a filter of a list. Its value is the query parameter of this name. */
export function FilterField({ name, label }: { name: string; label: string }) {
  const [search, setSearch] = useSearchParams();
  const current = search.get(name) ?? '';
  const [text, setText] = useState(current);

  // The field does not read back a parameter that it has written itself. The parameter is trimmed,
  // and the user may have typed more letters since it was written.
  const written = useRef(current);

  useEffect(() => {
    if (current === written.current) return;
    written.current = current;
    setText(current);
  }, [current]);
  useEffect(() => {
    if (text.trim() === current) return;
    const timer = setTimeout(() => {
      written.current = text.trim();
      setSearch((before) => withParam(before, name, text.trim()), { replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, current, name, setSearch]);

  return (
    <input
      className="input"
      type="search"
      placeholder={label}
      aria-label={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
