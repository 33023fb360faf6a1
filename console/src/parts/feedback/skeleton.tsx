import { useEffect, useState } from 'react';
import { commonText } from '../../text/common-text.js';

/** Time after which a placeholder reports that the response is late, in milliseconds. */
const LATE_MS = 8_000;

/** Shows a placeholder while content loads, and a hint if that takes long. */
export function Skeleton({ rows = 3, label = commonText.loading }: { rows?: number; label?: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {isLate && <p>{commonText.loadingLate}</p>}
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are identical
        <span key={row} />
      ))}
    </div>
  );
}
