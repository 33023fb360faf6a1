import type { ReactNode } from 'react';
import { Link } from 'wouter';

export interface EmptyPageProps {
  title: string;
  /** Reason, and what to do. */
  children: ReactNode;
  /** Page to go to instead. */
  href: string;
  link: string;
}

/** Shows a page without content: its object is missing, or the role may not see it. */
export function EmptyPage({ title, children, href, link }: EmptyPageProps) {
  return (
    <div className="page">
      <div className="empty">
        <h1>{title}</h1>
        <p>{children}</p>
        <p>
          <Link className="button" href={href}>
            {link}
          </Link>
        </p>
      </div>
    </div>
  );
}
