// Checks the prose of the repository: comments, strings and Markdown. The rules are in
// CONTRIBUTING.md, "How we write".
//   node scripts/check-words.mjs [PATH]   checks all files, or those of a folder or one file. It
//                                         prints each place that breaks a rule, as path:line, rule,
//                                         text, and fails if there are such places
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_SENTENCE_WORDS = 30;
const MAX_COMMENT_COLUMNS = 120;

/** Words to avoid. CONTRIBUTING.md lists the term to use instead of each. */
const WORDS = new RegExp(
  String.raw`\b(?:${[
    'refus(?:e|es|ed|al|als|ing)',
    'shut out',
    'turned away',
    '(?:pay|pays|paid|give|gives|gave|given) back',
    'doors?',
    'whoever',
    'nobody',
    'somebody',
    'whom',
    'he',
    'his',
    'him',
    'tells?',
    'told',
    'says?',
    'said',
    'hears?',
    'heard',
    'dear',
    'dearest',
    'of late',
    'anew',
    'for ever',
    'beside',
    'so many',
    'heed',
    'mend(?:s|ed)?',
    'there is none of',
    'of which nothing',
  ].join('|')})\b`,
  'gi',
);
/**
 * Beginning of a clause. A comment must begin with a verb, a noun phrase or a complete sentence.
 */
const CLAUSE = /^(?:What|Whose|Whom|Which|Where|Who|How|That|Of|By|With|As)\b/;

/**
 * Exceptions: places that may break a rule, each with its path, a part of its text, and the reason.
 */
const ALLOWED = [
  { path: 'lua/includes/state.lua', text: 'expiry of the key in seconds 4', reason: 'fields of a binary format' },
  { path: 'lua/includes/state.lua', text: 'kind 1, charge id 6', reason: 'fields of a binary format' },
];

const args = process.argv.slice(2);
const below = args.find((arg) => !arg.startsWith('--')) ?? '';
const found = textFiles().flatMap((path) => [...findIn(path)]);
for (const { path, line, rule, text } of found) process.stdout.write(`${path}:${line}  ${rule}  ${text}\n`);
if (found.length > 0) process.exitCode = 1;

function textFiles() {
  const paths = below === '' ? [] : ['--', below];
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...paths], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return files
    .split('\n')
    .filter((path) => /\.(ts|tsx|mts|mjs|cjs|lua|md)$/.test(path))
    .filter((path) => !/(^|\/)generated\//.test(path) && path !== 'scripts/check-words.mjs');
}

function* findIn(path) {
  const text = readFileSync(`${ROOT}/${path}`, 'utf8');
  if (path.endsWith('.md')) yield* findInPage(path, text);
  else if (path.endsWith('.lua')) yield* findInLua(path, text);
  else yield* findInCode(path, text);
}

function* findInPage(path, text) {
  let line = 1;
  let isCode = false;
  for (const block of text.split(/\n(?=\n)/)) {
    const fences = (block.match(/^\s*```/gm) ?? []).length;
    // The table of words in CONTRIBUTING.md contains the forbidden words itself.
    if (!isCode && fences === 0 && !block.trimStart().startsWith('| use | for | do not use |')) {
      const prose = block.replace(/`[^`\n]*`/g, '`x`').replace(/\]\([^)]*\)/g, ']');
      yield* findWords(path, line, prose);
      if (!/^\s*[|#<]/.test(block)) {
        for (const item of prose.split(/\n(?=\s*(?:[-*]|\d+\.)\s)/)) yield* findSentences(path, line, item);
      }
    }
    if (fences % 2 === 1) isCode = !isCode;
    line += block.split('\n').length;
    if (block.startsWith('\n')) line--;
    line++;
  }
}

function* findInLua(path, text) {
  for (const match of text.matchAll(/(?:^[ \t]*--[^\n]*\n?)+/gm)) {
    yield* findInComment(path, lineAt(text, match.index), match[0].replace(/^[ \t]*--+ ?/gm, ''), match[0]);
  }
}

function* findInCode(path, text) {
  const variant = path.endsWith('x') ? ts.ScriptKind.TSX : undefined;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, variant);
  const seen = new Set();
  const places = [];
  const visit = (node) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const { pos, end } of ranges) {
      if (seen.has(pos) || isInText(node, pos)) continue;
      seen.add(pos);
      places.push({ pos, end });
    }
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    ) {
      // A string of one word is a name or a value.
      if (/\w\s+\w/.test(node.text)) strings.push({ line: lineAt(text, node.getStart(source)), text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  const strings = [];
  visit(source);
  places.sort((one, other) => one.pos - other.pos);
  for (const { line, comment, raw } of blocksOf(text, places)) yield* findInComment(path, line, comment, raw);
  for (const { line, text: string } of strings) yield* findWords(path, line, string.replace(/`[^`\n]*`/g, '`x`'));
}

/** JSX text may contain characters that look like a comment. */
function isInText(node, pos) {
  return ts.isJsxText(node) && pos >= node.pos && pos < node.end;
}

/** Yields the comments. Consecutive line comments are joined. */
function* blocksOf(text, places) {
  for (let at = 0; at < places.length; at++) {
    const { pos } = places[at];
    let { end } = places[at];
    if (text.startsWith('//', pos)) {
      while (
        at + 1 < places.length &&
        /^\n[ \t]*$/.test(text.slice(end, places[at + 1].pos)) &&
        text.startsWith('//', places[at + 1].pos)
      ) {
        at++;
        end = places[at].end;
      }
    }
    const raw = text.slice(text.lastIndexOf('\n', pos) + 1, end);
    const comment = text.slice(pos, end).replace(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)[ \t]?|\*\/$/gm, '');
    yield { line: lineAt(text, pos), comment, raw };
  }
}

function* findInComment(path, line, comment, raw) {
  const plain = comment.trim();
  if (plain === '' || /^(?:biome-ignore|@ts-|#region|#!)/.test(plain)) return;
  if (CLAUSE.test(plain)) yield { path, line, rule: 'clause', text: plain.slice(0, 80).replace(/\s+/g, ' ') };
  for (const [offset, each] of raw.split('\n').entries()) {
    if (each.length > MAX_COMMENT_COLUMNS && /^\s*(?:\/\/|\/?\*|--)/.test(each)) {
      yield { path, line: line + offset, rule: 'wide', text: `${each.length} columns` };
    }
  }
  const prose = plain.replace(/`[^`\n]*`/g, '`x`').replace(/\{@link[^}]*\}/g, 'x');
  yield* findWords(path, line, prose);
  // Lines with an indentation, or with columns, are tables. Each of them is a separate paragraph.
  const paragraphs = prose.split(/\n\s*\n|\n\s*(?=@\w|[-*]\s|\d+\.\s|\|)|\n(?=\s{2,}\S|\S+\s{2,}\S)/);
  for (const paragraph of paragraphs) yield* findSentences(path, line, paragraph);
}

function* findWords(path, line, prose) {
  for (const match of prose.matchAll(WORDS)) {
    const start = Math.max(0, match.index - 30);
    const text = prose
      .slice(start, match.index + match[0].length + 30)
      .replace(/\s+/g, ' ')
      .trim();
    if (isAllowed(path, prose)) continue;
    yield {
      path,
      line: line + prose.slice(0, match.index).split('\n').length - 1,
      rule: 'word',
      text: `"${match[0]}" in: ${text}`,
    };
  }
}

function* findSentences(path, line, prose) {
  for (const sentence of prose.split(/(?<=[.!?])\s+(?=[A-Z`@"([])/)) {
    const words = sentence.split(/\s+/).filter((word) => /\w/.test(word));
    if (words.length > MAX_SENTENCE_WORDS && !isAllowed(path, sentence)) {
      yield { path, line, rule: 'sentence', text: `${words.length} words: ${words.slice(0, 10).join(' ')} ...` };
    }
  }
}

function isAllowed(path, text) {
  return ALLOWED.some((each) => each.path === path && text.includes(each.text));
}

function lineAt(text, position) {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
