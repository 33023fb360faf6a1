// Types the GraphQL documents that are sent to the admin API: those of the tests and those of the console, each to a
// `generated/graphql.ts` of its own. With --check it writes nothing, and fails when one of these files is out of date.
// The command line of graphql-codegen would install hundreds of packages to do the same.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildASTSchema, parse } from 'graphql';

const SCHEMA = new URL('schema/admin.graphql', import.meta.url);
const TARGETS = [
  { documents: 'test/admin/', output: 'test/generated/graphql.ts' },
  { documents: 'console/src/', output: 'console/src/generated/graphql.ts' },
];

const schema = parse(readFileSync(SCHEMA, 'utf8'));
const schemaAst = buildASTSchema(schema);
const isCheck = process.argv.includes('--check');

for (const target of TARGETS) {
  const output = new URL(target.output, import.meta.url);
  const generated = await typesOf(new URL(target.documents, import.meta.url), output);
  if (!isCheck) {
    mkdirSync(new URL('./', output), { recursive: true });
    writeFileSync(output, generated);
  } else if (readFileSync(output, 'utf8') !== generated) {
    console.error(`${target.output} is out of date: run \`npm run generate\`.`);
    process.exitCode = 1;
  }
}

/** The types of all documents in a folder and those below. */
async function typesOf(folder: URL, output: URL): Promise<string> {
  const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => {
      const location = fileURLToPath(new URL(name, folder));
      const rawSDL = readFileSync(location, 'utf8');
      return { location, rawSDL, document: parse(rawSDL) };
    });
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: fileURLToPath(new URL('./', output)),
    schema,
    schemaAst,
    documents,
    plugins: [],
    pluginMap: {},
    config: {
      documentMode: 'string',
      enumsAsTypes: true,
      scalars: { SafeInt: 'number', DateTime: 'string', JSON: 'unknown' },
      strictScalars: true,
      useTypeImports: true,
      // Types that no document uses would be printed twice, once for each target.
      onlyOperationTypes: true,
    },
    presetConfig: { fragmentMasking: false },
  });
  // The other sections are for documents written as tagged templates.
  const section = sections.find(({ filename }) => filename === fileURLToPath(output));
  if (!section) throw new Error('the preset no longer generates graphql.ts');
  return codegen(section);
}
