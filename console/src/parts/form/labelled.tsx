import { type ReactNode, useId } from 'react';

/** What was wrong with an input, and where. */
export interface Problem {
  /** The path inside the input; empty for the input as a whole. */
  field: readonly string[];
  message: string;
}

export interface LabelledProps {
  label: string;
  /** What one may not guess. */
  help?: ReactNode;
  problems?: readonly Problem[];
  /** The control, which takes these: by them it is known what describes it and that it is wrong. */
  children(control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }): ReactNode;
}

/** A control with its label, and below it what is wrong with what stands in it. */
export function Labelled({ label, help, problems = [], children }: LabelledProps) {
  const id = useId();
  const isWrong = problems.length > 0;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': isWrong || help ? `${id}-note` : undefined, 'aria-invalid': isWrong })}
      {(isWrong || help) && (
        <div id={`${id}-note`} className="field-notes">
          {help && <span className="field-help">{help}</span>}
          {problems.map(({ message }) => (
            <span key={message} className="field-problem" role="alert">
              {message}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
