import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.js';

export interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** What to type in a shell so that there is something to see. */
  command?: string | undefined;
}

/** What stands in place of a list without entries, with the command that fills it. */
export function Empty({ title, children, command }: EmptyProps) {
  return (
    <div className="empty">
      <h3>{title}</h3>
      {children && <p>{children}</p>}
      {command && (
        <div className="command">
          <code>{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </div>
      )}
    </div>
  );
}
