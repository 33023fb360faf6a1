import { type ReactNode, useId } from 'react';

/** An error of an input, with its position. */
export interface Problem {
  /** Path inside the input. Empty: the error concerns the input as a whole. */
  field: readonly string[];
  message: string;
}

export interface LabelledProps {
  label: string;
  /** Hint below the control. */
  help?: ReactNode;
  problems?: readonly Problem[];
  /** Renders the control. It must have these attributes, which link it to its hint and errors. */
  children(control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }): ReactNode;
}

/** Shows a form control with its label, its hint and its errors. */
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
