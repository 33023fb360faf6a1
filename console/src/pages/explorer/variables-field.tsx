import { explorerText } from '../../text/explorer-text.js';

export interface VariablesFieldProps {
  text: string;
  /** Error in the variables. Undefined: they are valid. */
  problem: string | undefined;
  onChange(text: string): void;
  /** Called for Ctrl or Cmd and Enter, as in the editor. */
  onRun?: (() => void) | undefined;
}

const { variables } = explorerText;

/** Shows a field for the variables of an operation, as JSON. */
export function VariablesField({ text, problem, onChange, onRun }: VariablesFieldProps) {
  return (
    <label className="field card-body">
      <span className="field-label">{variables.label}</span>
      <textarea
        className="input mono"
        rows={3}
        spellCheck={false}
        placeholder={variables.placeholder}
        value={text}
        aria-invalid={problem !== undefined}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onRun?.();
        }}
      />
      {problem !== undefined && (
        <span className="field-problem" role="alert">
          {problem}
        </span>
      )}
    </label>
  );
}
