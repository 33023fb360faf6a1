import { visibleText } from '../../parts/text/visible-text.js';
import { explorerText } from '../../text/explorer-text.js';

const { run: runText } = explorerText;

/**
 * Maximum length of the response that is shown. The page is for a first look, not for complete
 * responses.
 */
const MOST_LETTERS = 20_000;

/** Shows the status and the body of a response to an operation. */
export function AnswerText({ status, text }: { status: number; text: string }) {
  return (
    <>
      <p className="card-body">
        {runText.status} <span className={`pill ${status < 400 ? 'pill-good' : 'pill-bad'}`}>{status}</span>
      </p>

      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to reach an element that scrolls. */}
      <section className="answer" aria-label={runText.response} tabIndex={0}>
        <pre>
          {text
            .slice(0, MOST_LETTERS)
            .split('\n')
            .map((line) => visibleText(line, MOST_LETTERS))
            .join('\n')}
        </pre>
      </section>
      {text.length > MOST_LETTERS && <p className="muted card-body">{runText.truncated}</p>}
    </>
  );
}
