import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: the files of other programs have no types here.
export type Yaml = any;

/** Returns the documents of all YAML files of a page. The parser rejects duplicate keys. */
export function yamlOfPage(page: string): Yaml[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].flatMap(([, yaml]) =>
    parseAllDocuments(yaml!, { strict: true }).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    }),
  );
}
