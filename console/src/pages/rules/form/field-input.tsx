import { type InputHTMLAttributes, useId } from 'react';
import { useAdmin } from '../../../api/use-admin.js';
import { FieldNamesDocument } from '../../../generated/graphql.js';
import { useSettled } from '../../../parts/form/use-settled.js';

export interface FieldInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'list'> {
  value: string;
  onChange(value: string): void;
}

/** Shows the input of a field pattern, which the browser completes with fields of the schema. */
export function FieldInput({ value, onChange, ...rest }: FieldInputProps) {
  const list = useId();
  const settled = useSettled(value.trim());
  const startsWith = settled === '' ? 'Query.' : settled;
  // A pattern such as `*.posts` is not the beginning of a field, so it has no completions.
  const { data } = useAdmin(FieldNamesDocument, { startsWith }, { enabled: !startsWith.includes('*') });
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
        {data?.schemaFields.nodes.map(({ coordinate }) => (
          <option key={coordinate} value={coordinate} />
        ))}
      </datalist>
    </>
  );
}
