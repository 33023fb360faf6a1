import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { graphql, graphqlLanguageSupport, showInDocsCommand } from 'cm6-graphql';
import type { GraphQLField, GraphQLNamedType, GraphQLSchema } from 'graphql';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { explorerText } from '../../text/explorer-text.js';
import { insertionOf } from './docs/insert-field.js';

/** Changes of the text by other parts of the page. Each can be undone in the editor. */
export interface EditorHandle {
  replaceAll(text: string): void;
  /** Inserts a field. Returns false if there is no place for it, as `insertionOf` describes. */
  insertField(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): boolean;
}

export interface EditorProps {
  ref?: Ref<EditorHandle>;
  label: string;
  /**
   * Initial text. Later changes are ignored: a controlled value would lag behind fast typing and
   * undo it.
   */
  first: string;
  onChange(text: string): void;
  /** Called for Ctrl or Cmd and Enter. */
  onRun?: (() => void) | undefined;
  /** Schema to complete and validate fields with. @default no completion or validation of fields */
  schema?: GraphQLSchema | undefined;
  /** Called to show the documentation of the name at the cursor. @default it cannot be shown */
  onShowDocs?: ((coordinate: string) => void) | undefined;
}

/** Colors of the page, in light and in dark. */
const COLORS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--shadowed)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--denied)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.variableName, tags.special(tags.variableName)], color: 'var(--shadowed)' },
]);

const THEME = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px', minHeight: '192px' },
  // The editor adds its own class some time after the focus.
  '&:focus-within, &.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', minHeight: '192px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-line': { padding: '0 16px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line-strong)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
});

/**
 * Shows an editor for a GraphQL document. It is in a shadow tree, where it can use adopted style
 * sheets. In the page, it would insert style elements, which the content security policy blocks.
 */
export function Editor({ ref, label, first, onChange, onRun, schema, onShowDocs }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const language = useRef(new Compartment());
  const latest = useRef({ onChange, onRun, onShowDocs });
  latest.current = { onChange, onRun, onShowDocs };
  const hint = hintOf(onRun !== undefined, onShowDocs !== undefined);
  const languageOf = (known: GraphQLSchema | undefined) =>
    known
      ? graphql(known, {
          onShowInDocs(field, type, parentType) {
            const shown = field && parentType ? `${nameOf(parentType)}.${field}` : type && nameOf(type);
            if (shown) latest.current.onShowDocs?.(shown);
          },
        })
      : graphqlLanguageSupport();

  useImperativeHandle(
    ref,
    () => ({
      replaceAll(text) {
        const editor = view.current!;
        editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
      },
      insertField(type, field) {
        const editor = view.current!;
        const change = schema && insertionOf(editor.state, schema, type, field);
        if (!change) return false;
        editor.dispatch(change, { userEvent: 'input', scrollIntoView: true });
        return true;
      },
    }),
    [schema],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes are passed to the existing editor.
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const run = () => {
      latest.current.onRun?.();
      return latest.current.onRun !== undefined;
    };
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first,
        extensions: [
          // Tab leaves the editor, like every other field.
          keymap.of([
            { key: 'Mod-Enter', run },
            { key: 'Mod-d', run: (view) => latest.current.onShowDocs !== undefined && showInDocsCommand(view) },
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          history(),
          autocompletion(),
          drawSelection(),
          bracketMatching(),
          language.current.of(languageOf(schema)),
          syntaxHighlighting(COLORS),
          THEME,
          EditorView.lineWrapping,
          // `aria-describedby` cannot refer to an element outside of the shadow tree.
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-description': hint }),
          EditorView.domEventHandlers({ beforeinput: typeOverLines }),
          placeholder(explorerText.editor.placeholder),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the callbacks of the language are always the latest.
  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageOf(schema)) });
  }, [schema]);

  return (
    <>
      <div ref={host} className="editor" />
      <p className="card-note">{hint}</p>
    </>
  );
}

/**
 * Returns the hint about the keys of an editor. Without it, people may not know how to leave it by
 * keyboard.
 */
function hintOf(runs: boolean, hasDocs: boolean): string {
  const { hint, hintOfDocs, hintOfRun } = explorerText.editor;
  return [hint, ...(hasDocs ? [hintOfDocs] : []), ...(runs ? [hintOfRun] : [])].join(' ');
}

/** Returns the name of a type without its list and non-null marks. */
function nameOf(type: string): string {
  return type.replace(/[[\]!]/g, '');
}

/**
 * Replaces a selection of several lines with typed text. Otherwise the browser would join the lines
 * first and keep their appearance with an inline style, which the content security policy blocks
 * and reports.
 */
function typeOverLines(event: InputEvent, view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const isOfOneLine = view.state.doc.lineAt(from).to >= to;
  if (event.inputType !== 'insertText' || event.data === null || event.isComposing || isOfOneLine) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}
