// Prints the schema of the admin API to schema/admin.graphql. With --check it writes nothing and fails when the file is
// not what the code says.
import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { createAdminSchema } from '../src/admin/create-admin-schema.js';
import { createRulesStore } from '../src/rules/store.js';

const FILE = new URL('../schema/admin.graphql', import.meta.url);

const unused = () => Promise.reject(new Error('printing the schema runs nothing'));
const store = createRulesStore({ query: unused, tx: unused, close: unused });
const printed = `${printSchema(lexicographicSortSchema(createAdminSchema({ store, quotaOf: unused })))}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, printed);
} else if (readFileSync(FILE, 'utf8') !== printed) {
  console.error('schema/admin.graphql is not what the code says: run `npm run generate` and commit the result.');
  process.exitCode = 1;
}
