import { type InputHTMLAttributes, useId, useState } from 'react';
import { elementsOf } from '../../../parts/form/elements-of.js';

export interface ListInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'list'> {
  value: readonly string[];
  /** Completions of the last element. */
  completions?: readonly string[];
  onChange(value: string[]): void;
  /** Receives the unfinished last element while the user types. */
  onTyping?(last: string): void;
}

/** Shows the input of a comma-separated list. The browser completes its last element. */
export function ListInput(props: ListInputProps) {
  const { value, completions = [], onChange, onTyping, className = 'input', ...rest } = props;
  const list = useId();
  const [typed, setTyped] = useState(value.join(', '));
  const [seen, setSeen] = useState(value.join());
  // The list can change without typing, such as after a merge with the version that another person
  // has stored. While typing, the text stays as it is: a normalization would change unfinished text.
  if (value.join() !== seen) {
    setSeen(value.join());
    setTyped(value.join(', '));
  }
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  return (
    <>
      <input
        {...rest}
        className={className}
        list={list}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          const elements = elementsOf(target.value);
          setTyped(target.value);
          setSeen(elements.join());
          onTyping?.(target.value.slice(target.value.lastIndexOf(',') + 1).trim());
          if (elements.join() !== value.join()) onChange(elements);
        }}
        onBlur={() => setTyped(value.join(', '))}
      />
      <datalist id={list}>
        {completions.map((one) => (
          <option key={one} value={before === '' ? one : `${before} ${one}`} />
        ))}
      </datalist>
    </>
  );
}
