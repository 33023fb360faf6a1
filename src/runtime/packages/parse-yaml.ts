import { setImmediate as turn } from 'node:timers/promises';
import { loadOptional, notInstalled } from './load-optional.js';

/**
 * Maximum length of a text that is parsed without letting the event loop run other tasks, in
 * characters.
 */
const MAX_AT_ONCE = 100_000;
const LEXEMES_AT_ONCE = 5_000;

/** Mistake in the text, with its offset. */
interface YamlProblem {
  readonly message: string;
  readonly at: number;
}

/**
 * Parses YAML, or JSON, which is valid YAML. The time is proportional to the length of the text.
 * The parser's own check for duplicate keys is disabled, because it compares each key with all keys
 * before it. That takes seconds for a few thousand keys.
 * @param wantedBy option that needs the package, as the beginning of a sentence
 */
export async function parseYaml(text: string, wantedBy: string) {
  const yaml = await loadOptional('yaml', wantedBy, importYaml);
  const { isAlias, isMap, isNode, isScalar, visit } = yaml;
  const { document, lines } = (await readInSlices(text, yaml)) ?? readAtOnce(text, yaml);
  const placeOf = (at: number) => {
    const { line, col } = lines.linePos(at);
    return `at line ${line}, column ${col}`;
  };
  const problems: YamlProblem[] = [];
  const anchors = new Set<string>();
  /**
   * Lines with an unquoted star. Errors of the parser in these lines are ignored, because they
   * would repeat the message about the star.
   */
  const linesOfStars = new Set<number>();
  visit(document, (_key, node) => {
    if (isAlias(node)) {
      if (anchors.has(node.source)) return;
      const at = node.range?.[0] ?? 0;
      linesOfStars.add(lines.linePos(at).line);
      // If an alias is a key, the parser includes the colon in its name.
      const star = `*${node.source.replace(/:$/, '')}`;
      problems.push({ message: `quote a string that begins with *: "${star}" ${placeOf(at)}`, at });
      return;
    }
    if (isNode(node) && 'anchor' in node && node.anchor) anchors.add(node.anchor);
    if (!isMap(node)) return;
    const seen = new Set<unknown>();
    for (const { key } of node.items) {
      const name = isScalar(key) ? key.value : key;
      if (seen.has(name)) {
        const at = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
        problems.push({ message: `Map keys must be unique ${placeOf(at)}`, at });
      }
      seen.add(name);
    }
  });
  for (const { code, message, pos } of document.errors) {
    const [at] = pos;
    if (linesOfStars.has(lines.linePos(at).line)) continue;
    const own =
      code === 'MULTIPLE_DOCS' ? `expected one document, got a second one after --- ${placeOf(at)}` : undefined;
    problems.push({ message: own ?? message.split('\n')[0] ?? message, at });
  }
  problems.sort((one, other) => one.at - other.at);
  /** Whether the text is valid YAML. If not, the parsed document may be incomplete or wrong. */
  const isYaml = document.errors.length === 0 && linesOfStars.size === 0;
  return { document, lines, problems, isYaml, isMap, isScalar };
}

type Yaml = Awaited<ReturnType<typeof importYaml>>;

function readAtOnce(text: string, { LineCounter, parseDocument }: Yaml) {
  const lines = new LineCounter();
  return { document: parseDocument(text, { uniqueKeys: false, lineCounter: lines }), lines };
}

/**
 * Parses a long text, and lets the event loop run other tasks in between, because parsing may take
 * seconds. Returns undefined for a short text. Also returns undefined for a text with a mistake,
 * because only `readAtOnce` describes mistakes.
 */
async function readInSlices(text: string, { Composer, Lexer, LineCounter, Parser }: Yaml) {
  if (text.length <= MAX_AT_ONCE) return undefined;
  const lines = new LineCounter();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const tokens = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (++count % LEXEMES_AT_ONCE === 0) await turn();
  }
  tokens.push(...parser.end());
  const [document, ...others] = new Composer({ uniqueKeys: false }).compose(tokens, true, text.length);
  return document && document.errors.length === 0 && others.length === 0 ? { document, lines } : undefined;
}

async function importYaml() {
  try {
    return await import('yaml');
  } catch (error) {
    throw notInstalled('yaml', error);
  }
}
