import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { askAdmin } from '../../../api/ask-admin.js';
import { useApis } from '../../../api/use-apis.js';
import { FieldNamesDocument } from '../../../generated/graphql.js';
import { useSettled } from '../../../parts/form/use-settled.js';
import { ListInput, type ListInputProps } from './list-input.js';

export type FieldInputProps = Omit<ListInputProps, 'completions' | 'onTyping'>;

/** Maximum number of APIs whose fields are offered. Each is a request. */
const MOST_APIS = 5;
const MOST_FIELDS = 50;

/**
 * Shows the input of field patterns. The browser completes the last of them with fields of the
 * first `MOST_APIS` APIs, by any part of their names.
 */
export function FieldInput({ className = 'input mono', ...rest }: FieldInputProps) {
  const [typed, setTyped] = useState(rest.value.at(-1) ?? '');
  const settled = useSettled(typed);
  const contains = settled === '' ? 'Query.' : settled;
  const { apis = [], isReady } = useApis();
  const services = apis.length === 0 ? [null] : apis.slice(0, MOST_APIS).map(({ service }) => service);
  const names = useQueries({
    queries: services.map((service) => ({
      queryKey: ['field-names', service, contains],
      queryFn: ({ signal }: { signal: AbortSignal }) => askAdmin(FieldNamesDocument, { contains, service }, signal),
      // A pattern such as `*.posts` is not a part of a coordinate.
      enabled: isReady && !contains.includes('*'),
    })),
    combine: (results) =>
      results.flatMap(({ data }) => data?.schemaFields.nodes.map(({ coordinate }) => coordinate) ?? []),
  });
  const completions = [...new Set(names)].slice(0, MOST_FIELDS);
  return <ListInput {...rest} className={className} completions={completions} onTyping={setTyped} />;
}
