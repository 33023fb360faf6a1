import type { ReactNode } from 'react';
import { CopyQueries } from './feedback/copy-queries.js';

export interface PageProps {
  title: ReactNode;
  /** One sentence about the content of the page. */
  lead?: ReactNode;
  /** Actions to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Shows the frame of every page. */
export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1>{title}</h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        <div className="page-actions">
          {actions}
          <CopyQueries />
        </div>
      </header>
      {children}
    </div>
  );
}
