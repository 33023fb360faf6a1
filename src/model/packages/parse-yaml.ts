import { loadOptional, notInstalled } from './optional-package.js';

/** What is wrong with the text, and where in it: an offset. */
export interface YamlProblem {
  readonly message: string;
  readonly at: number;
}

/**
 * Reads YAML (or JSON, which is YAML), in time that grows with the text: the parser's own check of keys compares each with all
 * before it, which takes seconds for some thousand of them.
 *
 * @param wantedBy what needs the package, as the beginning of a sentence
 */
export async function parseYaml(text: string, wantedBy: string) {
  const { isMap, isScalar, LineCounter, parseDocument, visit } = await loadOptional('yaml', wantedBy, importYaml);
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines });
  const problems: YamlProblem[] = document.errors.map(({ message, pos }) => ({
    message: message.split('\n')[0] ?? message,
    at: pos[0],
  }));
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) {
          const at = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
          const { line, col } = lines.linePos(at);
          problems.push({ message: `Map keys must be unique at line ${line}, column ${col}`, at });
        }
        seen.add(name);
      }
    },
  });
  return { document, lines, problems, isMap, isScalar };
}

async function importYaml() {
  try {
    return await import('yaml');
  } catch (error) {
    throw notInstalled('yaml', error);
  }
}
