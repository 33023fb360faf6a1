import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface CodeBlock {
  /** Place of the block, such as `docs/limits.md:68`. */
  place: string;
  /** Word after the fence: `ts`, `sh`, `json`, ... or empty. */
  language: string;
  code: string;
}

/** Pages for users, by path, with their text. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  [
    ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
    'examples/README.md',
    'packages/client/README.md',
    'packages/platform/README.md',
  ].map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]),
);

/** Returns the code blocks of all pages, in order. */
export function codeBlocks(): CodeBlock[] {
  return [...PAGES].flatMap(([page, text]) => {
    const blocks: CodeBlock[] = [];
    let open: { line: number; language: string; indent: string; lines: string[] } | undefined;
    for (const [index, line] of text.split('\n').entries()) {
      // Blocks inside of a list are indented.
      const [, indent, language] = /^( *)```(\S*)/.exec(line) ?? [];
      if (indent === undefined) open?.lines.push(line.slice(line.startsWith(open.indent) ? open.indent.length : 0));
      else if (open) {
        blocks.push({ place: `${page}:${open.line}`, language: open.language, code: open.lines.join('\n') });
        open = undefined;
      } else open = { line: index + 1, language: language!, indent, lines: [] };
    }
    if (open) throw new Error(`${page}:${open.line}: this block is never closed`);
    return blocks;
  });
}

/** Returns the command of docs/runbook.md that begins with this text. */
export function runbookCommand(start: string): string {
  const found = codeBlocks().filter(({ place, code }) => place.startsWith('docs/runbook.md') && code.startsWith(start));
  if (found.length !== 1) throw new Error(`docs/runbook.md: ${found.length} commands begin with ${start}`);
  return found[0]!.code;
}

/** Returns the anchors of a page, as GitHub derives them from its headings. */
export function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/```[\s\S]*?```/g, '').match(/^#+ .*$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- _]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}
