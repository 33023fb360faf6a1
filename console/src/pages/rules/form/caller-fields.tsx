import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askAdmin } from '../../../api/ask-admin.js';
import {
  CallerNamesDocument,
  type CredentialKind,
  type RuleCallers,
  type RuleDocument,
  type RuleMatchInput,
} from '../../../generated/graphql.js';
import { Labelled } from '../../../parts/form/labelled.js';
import { useSettled } from '../../../parts/form/use-settled.js';
import { rulesText } from '../../../text/rules-text.js';
import { ListInput } from './list-input.js';
import type { RuleFieldsProps } from './rule-choice.js';

const { form: text, callers: words } = rulesText;

type NameList = 'users' | 'tenants' | 'keys' | 'apps' | 'appVersions';

/** Shows the conditions of a rule on its callers and documents. */
export function CallerFields({ draft: { match }, problems, onChange }: RuleFieldsProps) {
  const of = (name: keyof RuleMatchInput) => problems.filter(({ field }) => field[0] === 'match' && field[1] === name);
  /** A member without a condition is omitted, because an empty list is an error. */
  const set = (change: RuleMatchInput) => {
    const members = Object.entries({ ...match, ...change }).filter(([, one]) => one !== undefined);
    onChange({ match: Object.fromEntries(members) });
  };
  const credentials = match?.credentials ?? [];
  const names = (name: NameList, label: string, help: string) => (
    <Labelled label={label} help={help} problems={of(name)}>
      {(control) => (
        <CallerNames
          {...control}
          name={name}
          value={match?.[name] ?? []}
          onChange={(list) => set({ [name]: list.length > 0 ? list : undefined })}
        />
      )}
    </Labelled>
  );
  return (
    <>
      <Labelled label={text.callers} problems={of('callers')}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={match?.callers ?? ''}
            onChange={({ target }) => set({ callers: target.value === '' ? undefined : (target.value as RuleCallers) })}
          >
            <option value="">{text.allCallers}</option>
            {Object.entries(words.kinds).map(([kind, title]) => (
              <option key={kind} value={kind}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label={text.credentials} help={text.credentialsHint} problems={of('credentials')}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={credentials.toSorted().join()}
            onChange={({ target }) => {
              const kinds = target.value.split(',').filter(Boolean) as CredentialKind[];
              set({ credentials: kinds.length > 0 ? kinds : undefined });
            }}
          >
            <option value="">{text.allCredentials}</option>
            {CREDENTIALS.map((kinds) => (
              <option key={kinds.join()} value={kinds.join()}>
                {kinds.map((kind) => words.credentials[kind]).join(' / ')}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label={text.agents} help={text.agentsHint} problems={of('agents')}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={match?.agents ? 'AGENTS' : ''}
            onChange={({ target }) => set({ agents: target.value === '' ? undefined : true })}
          >
            <option value="">{text.allPrograms}</option>
            <option value="AGENTS">{text.agentsOnly}</option>
          </select>
        )}
      </Labelled>
      {names('users', text.users, text.namesHint)}
      {names('tenants', text.tenants, text.namesHint)}
      {names('keys', text.keys, text.keysHint)}
      <Labelled label={text.document} help={text.documentHint} problems={of('document')}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={match?.document ?? ''}
            onChange={({ target }) =>
              set({ document: target.value === '' ? undefined : (target.value as RuleDocument) })
            }
          >
            <option value="">{text.allDocuments}</option>
            {Object.entries(words.documents).map(([kind, title]) => (
              <option key={kind} value={kind}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {names('apps', text.apps, text.appsHint)}
      {names('appVersions', text.appVersions, text.appVersionsHint)}
    </>
  );
}

/** All sets of credentials that leave some out, each in alphabetical order. */
const CREDENTIALS: readonly (readonly CredentialKind[])[] = [
  ['KEY'],
  ['TOKEN'],
  ['NONE'],
  ['KEY', 'TOKEN'],
  ['KEY', 'NONE'],
  ['NONE', 'TOKEN'],
  ['KEY', 'NONE', 'TOKEN'],
];

interface CallerNamesProps {
  id: string;
  name: NameList;
  value: readonly string[];
  onChange(names: string[]): void;
}

/** Shows a list of names. Users and tenants are completed with stored ones. */
function CallerNames({ name, ...rest }: CallerNamesProps) {
  const isCaller = name === 'users' || name === 'tenants';
  const [typed, setTyped] = useState('');
  const startsWith = useSettled(typed);
  const { data } = useQuery({
    queryKey: ['caller-names', startsWith],
    queryFn: ({ signal }) => askAdmin(CallerNamesDocument, { startsWith }, signal),
    enabled: isCaller && startsWith !== '' && !startsWith.includes('*'),
  });
  const found = data?.subjects.nodes.map(({ caller }) => (name === 'users' ? caller.user : caller.tenant)) ?? [];
  const completions = [...new Set(found)].flatMap((one) => (one?.startsWith(startsWith) ? [one] : []));
  return <ListInput {...rest} completions={isCaller ? completions : []} onTyping={setTyped} />;
}
