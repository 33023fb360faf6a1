import type { InputHTMLAttributes } from 'react';

export interface NumberInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type'> {
  /** NaN: the input is empty. */
  value: number;
  onChange(value: number): void;
}

/**
 * Shows an input of a number. The user can empty the input, which then reports NaN. If it became 0
 * instead, the next typed digit would follow the 0.
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
