import { commonText } from '../../text/common-text.js';
import { visibleText } from './visible-text.js';

/** Shows a name that a caller has chosen. */
export function Name({ children, mono = false }: { children: string; mono?: boolean }) {
  const shown = visibleText(children);
  return (
    <bdi className={mono ? 'name mono' : 'name'} title={shown}>
      {shown === '' ? <em className="muted">{commonText.emptyName}</em> : shown}
    </bdi>
  );
}
