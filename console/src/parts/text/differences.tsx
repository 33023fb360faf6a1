import { visibleText } from './visible-text.js';

export interface Difference {
  path: string;
  before?: unknown;
  after?: unknown;
}

/** Differences of a change, member by member. Empty if the role of the user may not see them. */
export function Differences({ differences }: { differences: readonly Difference[] | null | undefined }) {
  return (
    <div className="diff">
      {differences?.map(({ path, before, after }) => (
        <div key={path}>
          {path}: <del>{visibleText(JSON.stringify(before ?? null))}</del> →{' '}
          <ins>{visibleText(JSON.stringify(after ?? null))}</ins>
        </div>
      ))}
    </div>
  );
}
