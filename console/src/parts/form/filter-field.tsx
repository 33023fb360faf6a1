import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { withParam } from '../range/use-range.js';

/** Wait for the end of a word before a question is asked for each letter. */
const PAUSE_MS = 300;

/** A condition of a list that stands in the address under its name. */
export function FilterField({ name, label }: { name: string; label: string }) {
  const [search, setSearch] = useSearchParams();
  const current = search.get(name) ?? '';
  const [text, setText] = useState(current);

  // What was put into the address from here is not taken back from it: it has no spaces at its ends, and more may have
  // been typed since.
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
