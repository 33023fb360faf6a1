import { visibleText } from './visible-text.js';

export interface Difference {
  path: string;
  before?: unknown;
  after?: unknown;
}

/** What a change has changed, member by member; nothing where it is not for the role of who looks. */
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
