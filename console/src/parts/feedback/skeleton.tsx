import { commonText } from '../../text/common-text.js';

/** Shows a placeholder while content loads. */
export function Skeleton({ rows = 3, label = commonText.loading }: { rows?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are identical
        <span key={row} />
      ))}
    </div>
  );
}
