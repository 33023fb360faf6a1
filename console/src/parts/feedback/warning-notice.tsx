import { Icon } from '../text/icon.js';

export interface WarningNoticeProps {
  messages: readonly string[];
  /** Condition under which the warnings apply. @default none */
  title?: string | undefined;
}

/** Shows warnings about the effects of a change. */
export function WarningNotice({ messages, title }: WarningNoticeProps) {
  if (messages.length === 0) return null;
  return (
    <div className="notice notice-warn" role="alert">
      <Icon name="warning" />
      <div>
        {title && <strong>{title}</strong>}
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    </div>
  );
}
