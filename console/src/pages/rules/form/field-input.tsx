import { useQueries } from '@tanstack/react-query';
import { type InputHTMLAttributes, useId } from 'react';
import { askAdmin } from '../../../api/ask-admin.js';
import { useApis } from '../../../api/use-apis.js';
import { FieldNamesDocument } from '../../../generated/graphql.js';
import { useSettled } from '../../../parts/form/use-settled.js';

export interface FieldInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'list'> {
  value: string;
  onChange(value: string): void;
}

/** Maximum number of APIs whose fields are offered. Each is a request. */
const MOST_APIS = 5;
const MOST_FIELDS = 50;

/**
 * Shows the input of a field pattern. The browser completes it with fields of the first `MOST_APIS`
 * APIs, by any part of their names.
 */
export function FieldInput({ value, onChange, ...rest }: FieldInputProps) {
  const list = useId();
  const settled = useSettled(value.trim());
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
  return (
    <>
      <input
        {...rest}
        className="input mono"
        list={list}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {[...new Set(names)].slice(0, MOST_FIELDS).map((coordinate) => (
          <option key={coordinate} value={coordinate} />
        ))}
      </datalist>
    </>
  );
}
