// Types the GraphQL documents that are sent to the admin API: test/admin/*.graphql -> test/generated/graphql.ts. With
// --check it writes nothing and fails when that file is not what schema and documents say. A script of its own, because
// the command line of graphql-codegen brings hundreds of packages for what these lines do.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildASTSchema, parse } from 'graphql';

const SCHEMA = new URL('schema/admin.graphql', import.meta.url);
const DOCUMENTS = new URL('test/admin/', import.meta.url);
const OUTPUT = new URL('test/generated/graphql.ts', import.meta.url);

const schema = parse(readFileSync(SCHEMA, 'utf8'));
const documents = readdirSync(DOCUMENTS)
  .filter((name) => name.endsWith('.graphql'))
  .sort()
  .map((name) => {
    const location = fileURLToPath(new URL(name, DOCUMENTS));
    const rawSDL = readFileSync(location, 'utf8');
    return { location, rawSDL, document: parse(rawSDL) };
  });

const sections = await preset.buildGeneratesSection({
  baseOutputDir: fileURLToPath(new URL('./', OUTPUT)),
  schema,
  schemaAst: buildASTSchema(schema),
  documents,
  plugins: [],
  pluginMap: {},
  config: {
    documentMode: 'string',
    enumsAsTypes: true,
    scalars: { SafeInt: 'number', DateTime: 'string', JSON: 'unknown' },
    strictScalars: true,
    useTypeImports: true,
  },
  presetConfig: { fragmentMasking: false },
});
// The other sections are for documents written as tagged templates.
const section = sections.find(({ filename }) => filename === fileURLToPath(OUTPUT));
if (!section) throw new Error('the preset no longer generates graphql.ts');
const generated = await codegen(section);

if (!process.argv.includes('--check')) {
  mkdirSync(new URL('./', OUTPUT), { recursive: true });
  writeFileSync(OUTPUT, generated);
} else if (readFileSync(OUTPUT, 'utf8') !== generated) {
  console.error('test/generated/graphql.ts is not what schema and documents say: run `npm run generate`.');
  process.exitCode = 1;
}
