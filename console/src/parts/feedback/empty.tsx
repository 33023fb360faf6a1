import type { ReactNode } from 'react';
import { commonText } from '../../text/common-text.js';
import { CopyButton } from './copy-button.js';

export interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** Shell command that produces data to show. */
  command?: string | undefined;
}

/** Shows a placeholder of an empty list, with the command that fills it. */
export function Empty({ title, children, command }: EmptyProps) {
  return (
    <div className="empty">
      {/* Not a heading: its level would depend on what is around it. */}
      <p className="empty-title">{title}</p>
      {children && <p>{children}</p>}
      {command && (
        <div className="command">
          <code>{command}</code>
          <CopyButton text={command} label={commonText.copy.command} />
        </div>
      )}
    </div>
  );
}
