import type { InputHTMLAttributes } from 'react';

export interface NumberInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type'> {
  /** NaN: the input is empty. */
  value: number;
  onChange(value: number): void;
}

/**
 * Shows an input of a number. It can be emptied while the user types, and then reports NaN: a 0 in
 * its place would come before the next digit.
 */
export function NumberInput({ value, onChange, ...rest }: NumberInputProps) {
  return (
    <input
      {...rest}
      className="input"
      type="number"
      value={Number.isNaN(value) ? '' : value}
      onChange={({ target }) => onChange(target.value === '' ? Number.NaN : Number(target.value))}
    />
  );
}
