import { type ReactNode, useId } from 'react';

export interface CardProps {
  title: ReactNode;
  /** Content next to the title, such as a link to the full list or a switch. */
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** Shows a section of a page with its own title. */
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
