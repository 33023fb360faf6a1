import { type GraphQLArgument, type GraphQLInputField, type GraphQLType, getNamedType } from 'graphql';
import type { ReactNode } from 'react';
import { visibleText } from '../../../parts/text/visible-text.js';
import { explorerText } from '../../../text/explorer-text.js';
import { priceWords, sizeWords } from '../../fields/price-words.js';
import type { FieldCost } from './use-field-costs.js';

const { docs: text } = explorerText;

/** Maximum length of a description in a list. */
const SHORT = 160;
const LONG = 4_000;

/** Shows a name of the schema as a button that opens its documentation. */
export function DocLink({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <button type="button" className="doc-link mono" onClick={onClick}>
      {children}
    </button>
  );
}

/** Shows a type in the notation of SDL. */
export function TypeLink({ type, onOpen }: { type: GraphQLType; onOpen(place: string): void }) {
  return <DocLink onClick={() => onOpen(getNamedType(type).name)}>{String(type)}</DocLink>;
}

/** Shows a description of the schema as plain text, or its beginning. */
export function Description({
  children,
  isShort = false,
}: {
  children?: string | null | undefined;
  isShort?: boolean;
}) {
  const paragraphs = (children ?? '').trim().split(/\n\s*\n/);
  if (paragraphs[0] === '') return null;
  return (isShort ? paragraphs.slice(0, 1) : paragraphs).map((paragraph, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs of a description do not change.
    <p key={at} className={isShort ? 'docs-text muted' : 'docs-text'}>
      {visibleText(paragraph.replaceAll(/\s+/g, ' '), isShort ? SHORT : LONG)}
    </p>
  ));
}

/** Shows that a part of the schema is deprecated, and why. */
export function Deprecated({ reason }: { reason?: string | null | undefined }) {
  if (reason == null) return null;
  return (
    <p className="docs-text">
      <span className="pill pill-warn">{text.deprecated}</span> {visibleText(reason, SHORT)}
    </p>
  );
}

/** Shows arguments or input fields, with types, defaults and descriptions. */
export function Inputs({
  inputs,
  onOpen,
}: {
  inputs: readonly (GraphQLArgument | GraphQLInputField)[];
  onOpen(place: string): void;
}) {
  return (
    <ul className="docs-list">
      {inputs.map((input) => (
        <li key={input.name}>
          <code>{input.name}</code>: <TypeLink type={input.type} onOpen={onOpen} />
          {input.defaultValue !== undefined && (
            <span className="muted"> {text.defaultValue(visibleText(JSON.stringify(input.defaultValue)))}</span>
          )}
          <Description isShort>{input.description}</Description>
          <Deprecated reason={input.deprecationReason} />
        </li>
      ))}
    </ul>
  );
}

/** Describes what a field costs: one call, one returned value, and the size of its list. */
export function CostLine({ cost }: { cost: FieldCost }) {
  const size = sizeWords(cost);
  const isGuess = cost.sizeSource === 'DEFAULT' || cost.isSizeInferred;
  return (
    <p className="docs-cost small">
      <span className={isFree(cost) ? 'muted' : ''}>{priceWords(cost)}</span>
      {size !== undefined && (
        <>
          {' · '}
          {text.size(size)} {isGuess && <span className="pill pill-warn">{text.guessed}</span>}
        </>
      )}
    </p>
  );
}

function isFree({ callCost, itemCost }: FieldCost): boolean {
  return callCost === 0 && itemCost === 0;
}
