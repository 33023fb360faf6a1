import { type ReactNode, useId } from 'react';

export interface CardProps {
  title: ReactNode;
  /** Beside the title: the way to the list behind it, a switch. */
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A part of a page with a title of its own. */
export function Card({ title, aside, children, className = '' }: CardProps) {
  const id = useId();
  return (
    <section className={`card ${className}`} aria-labelledby={id}>
      <header className="card-head">
        <h2 id={id}>{title}</h2>
        {aside && <div className="card-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
