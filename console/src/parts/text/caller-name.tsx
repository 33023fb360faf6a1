import { Link } from 'wouter';
import type { CallerKind } from '../../generated/graphql.js';
import { commonText } from '../../text/common-text.js';
import { type CallerParts, callerPath } from './caller-path.js';
import { Name } from './name.js';

/** Shows the name and kind of a caller, with a link to their page. */
export function CallerName({ caller }: { caller: CallerParts & { kind: CallerKind; name?: string | null } }) {
  const { kind, name } = caller;
  const path = callerPath(caller);
  const shown = name ? (
    <Name>{name}</Name>
  ) : (
    <span>{kind === 'OTHER' ? commonText.otherCallers : commonText.anonymous}</span>
  );
  return (
    <span className="caller">
      {path ? <Link href={path}>{shown}</Link> : shown}
      <span className="tag">{commonText.callerKinds[kind]}</span>
    </span>
  );
}
