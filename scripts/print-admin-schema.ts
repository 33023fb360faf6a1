// Prints the generated schema files: the admin API to schema/admin.graphql, the directives of
// annotations to schema/directives.graphql and the JSON Schema of policy files to
// schema/policy.schema.json. With --check it writes nothing and fails if a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { createAdminSchema } from '../src/admin/create-admin-schema.js';
import { printAdminSdl } from '../src/admin/schema/print-admin-sdl.js';
import { costTypeDefs } from '../src/cost/schema/cost-type-defs.js';
import { createDocumentRegistry } from '../src/registry/create-document-registry.js';
import { policyJsonSchema } from '../src/rules/policy/policy-document.js';
import { createRulesStore } from '../src/rules/store/rules-store.js';
import { createUsageReader } from '../src/usage/query/usage-reader.js';

const unused = (): never => {
  throw new Error('printing the schema runs nothing');
};
const db = { query: unused, tx: unused };
const store = createRulesStore(db);
const schema = createAdminSchema({
  store,
  registry: createDocumentRegistry(db, store.write),
  usage: createUsageReader(db),
  apis: { services: unused, apiOf: unused, all: unused },
  quotaOf: unused,
  resetQuota: unused,
  healthOf: unused,
});
const printed: Record<string, string> = {
  'schema/admin.graphql': printAdminSdl(schema),
  'schema/directives.graphql': costTypeDefs.trimStart(),
  'schema/policy.schema.json': `${JSON.stringify(policyJsonSchema(), null, 2)}\n`,
};

for (const [name, text] of Object.entries(printed)) {
  const file = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is out of date: run \`npm run generate\` and commit the result.`);
    process.exitCode = 1;
  }
}
