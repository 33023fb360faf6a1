import type { ReactNode } from 'react';

interface TableFrameProps {
  /** Name of the table for screen readers. */
  label: string;
  className?: string;
  /** Cells of the head. */
  head: ReactNode;
  /** Title of the head on phones, where its cells are buttons in one line. */
  headTitle?: string;
  /** Rows of the body. */
  children: ReactNode;
}

/** Renders the frame of a table whose rows are cards on phones. */
export function TableFrame({ label, className = '', head, headTitle, children }: TableFrameProps) {
  return (
    // A table wider than the screen scrolls, so the keyboard must be able to reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      {/* On phones, styles turn the rows into blocks (cards). Browsers then drop the roles of a
          table, so the elements state them. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see above */}
      <table className={`table table-cards ${className}`.trim()} role="table">
        <thead role="rowgroup">
          <tr role="row" data-title={headTitle}>
            {head}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </section>
  );
}
