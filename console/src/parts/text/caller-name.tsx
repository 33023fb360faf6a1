import type { CallerKind } from '../../generated/graphql.js';
import { Name } from './name.js';

const KINDS: Record<CallerKind, string> = {
  ANONYMOUS: 'address',
  API_KEY: 'key',
  OTHER: 'others',
  TENANT: 'tenant',
  USER: 'user',
};

/** Who asked, and what they are known by. */
export function CallerName({ caller }: { caller: { kind: CallerKind; name?: string | null } }) {
  const { kind, name } = caller;
  return (
    <span className="caller">
      {name ? <Name>{name}</Name> : <span>{kind === 'OTHER' ? 'Not told apart' : 'Nobody known'}</span>}
      <span className="tag">{KINDS[kind]}</span>
    </span>
  );
}
