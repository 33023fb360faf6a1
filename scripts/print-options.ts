// Prints docs/reference.md, the options of every entry point, from the types and their comments.
// With --check it writes nothing and fails if the file is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

interface Section {
  title: string;
  /** Path of the file that declares the interface, relative to the root. */
  file: string;
  name: string;
  /** Text before the table. */
  about: string;
  /**
   * Whether every member is optional. The type does not show this, because it describes the options
   * with their defaults filled in.
   */
  partial?: boolean;
}

const SECTIONS: readonly Section[] = [
  {
    title: '`createTollgate(options)`',
    file: 'src/tollgate/tollgate-options.ts',
    name: 'TollgateOptions',
    about: 'From `tollgate`: protects an Apollo Server.',
  },
  {
    title: '`identity` of `createTollgate`',
    file: 'src/identity/caller-identification.ts',
    name: 'IdentityOptions',
    about: 'How callers are identified: see [identifying-callers.md](identifying-callers.md).',
  },
  {
    title: '`identity.jwt` of `createTollgate`',
    file: 'src/identity/token-verifier.ts',
    name: 'JwtSettings',
    about: 'The token issuer, and the claims that identify a caller.',
  },
  {
    title: '`createPostgres(options)`',
    file: 'src/postgres/create-pg-db.ts',
    name: 'PgDbOptions',
    about:
      'From `tollgate`: the database for `postgres` of `createTollgate`, with the sizes of its pools. Close it after the ' +
      'Tollgates that use it. It needs the package `pg`.',
  },
  {
    title: '`pools` of `createTollgate`',
    file: 'src/tollgate/connect-pools.ts',
    name: 'PoolOptions',
    about:
      'A separate Redis for some of the operations or callers: see [runbook.md](runbook.md#pools-a-redis-for-some-of-the-operations).',
  },
  {
    title: '`leases` of `createTollgate` and `createLimiter`',
    file: 'src/limiter/lease/lease-options.ts',
    name: 'LeaseSettings',
    about:
      'Tokens that an instance takes in advance, from limits with `precision: LEASED`: see [leases.md](leases.md).',
  },
  {
    title: '`denialMemory` of `createTollgate` and `createLimiter`',
    file: 'src/limiter/denials/denial-memory-option.ts',
    name: 'DenialMemoryOptions',
    about: 'Repeat denials without a call to Redis: see [limits.md](limits.md#callers-who-are-denied-again-and-again).',
  },
  {
    title: '`documentLimits` of `createTollgate`',
    file: 'src/documents/measure-document.ts',
    name: 'DocumentLimits',
    about:
      'Limits of a document, checked before it is parsed and validated: see [responses.md](responses.md#limits-of-a-document).',
    partial: true,
  },
  {
    title: '`usage` of `createTollgate`',
    file: 'src/usage/record/start-usage.ts',
    name: 'UsageOptions',
    about: 'Recorded usage and its retention: see [usage.md](usage.md).',
  },
  {
    title: '`usage.retention` of `createTollgate`',
    file: 'src/usage/record/usage-retention.ts',
    name: 'UsageRetention',
    about: 'Number of days for which each kind of usage is kept: see [usage.md](usage.md#retention).',
  },
  {
    title: '`createCostAnalyzer(schema, options)`, and `cost` of `createTollgate`',
    file: 'src/cost/settings/cost-analyzer-options.ts',
    name: 'CostAnalyzerOptions',
    about: 'From `tollgate/cost`: the pricing of operations, see [cost-model.md](cost-model.md).',
  },
  {
    title: '`profile` of `createCostAnalyzer`, with weights of your own',
    file: 'src/cost/settings/cost-profile.ts',
    name: 'CostProfile',
    about:
      'Weights of elements without annotations, instead of the name of a profile. A missing member has its value in the profile `tokens`.',
  },
  {
    title: '`createLimiter(options)`',
    file: 'src/limiter/limiter-options.ts',
    name: 'LimiterOptions',
    about: 'From `tollgate/limiter`: limits charged together or not at all, without GraphQL.',
  },
  {
    title: '`protectMercurius` options',
    file: 'src/mercurius/protect-mercurius.ts',
    name: 'MercuriusOptions',
    about:
      'From `tollgate/mercurius`, for `app.register(protectMercurius, options)`: see [integrations.md](integrations.md#mercurius).',
  },
  {
    title: '`createCostPlugin(options)`',
    file: 'src/graphiql/cost-plugin.ts',
    name: 'CostPluginOptions',
    about: 'From `tollgate/graphiql`: shows the price of an operation in GraphiQL while users write it.',
  },
  {
    title: '`createTestTollgate(options)`',
    file: 'src/testing/create-test-tollgate.ts',
    name: 'TestTollgateOptions',
    about:
      'From `tollgate/testing`: tiers, rules and prices in tests, see [recipes.md](recipes.md#test-my-limits-in-unit-tests).',
  },
  {
    title: '`createAdminHandler(options)`',
    file: 'src/admin/admin-handler-options.ts',
    name: 'AdminHandlerOptions',
    about: 'From `tollgate/admin`: the admin API, for your own server.',
  },
  {
    title: '`startServer(options)`',
    file: 'src/server/start-server-options.ts',
    name: 'StartServerOptions',
    about:
      'From `tollgate/server`: the platform, with your own API. `loadConfig` creates the `config` from the settings of ' +
      '[configuration.md](configuration.md).',
  },
];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = `${ROOT}docs/reference.md`;

const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const program = ts.createProgram(
  SECTIONS.map(({ file }) => `${ROOT}${file}`),
  { ...options, incremental: false },
);
const checker = program.getTypeChecker();

const text = `# Reference of options

Find an option by the function that takes it. \`npm run generate\` prints this page from the types. The settings of
\`tollgate start\` are in [configuration.md](configuration.md), the members of rules and tiers in [rules.md](rules.md), the
admin API in [admin-api.md](admin-api.md).

${SECTIONS.map(printSection).join('\n')}`;

if (!process.argv.includes('--check')) writeFileSync(TARGET, text);
else if (!existsSync(TARGET) || readFileSync(TARGET, 'utf8') !== text) {
  console.error('docs/reference.md is out of date: run `npm run generate` and commit the result.');
  process.exitCode = 1;
}

function printSection({ title, file, name, about, partial = false }: Section): string {
  const rows = optionsOf(file, name).map((option) => printRow(option, partial));
  return `## ${title}\n\n${about}\n\n| option | type | default | |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

function optionsOf(file: string, name: string): ts.Symbol[] {
  const source = program.getSourceFile(`${ROOT}${file}`);
  const declaration = source?.statements.find(
    (statement): statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
      (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) && statement.name.text === name,
  );
  if (!declaration) throw new Error(`${file} declares no ${name}`);
  return checker.getPropertiesOfType(checker.getTypeAtLocation(declaration));
}

function printRow(option: ts.Symbol, partial: boolean): string {
  const required = !partial && (option.flags & ts.SymbolFlags.Optional) === 0;
  const comment = ts.displayPartsToString(option.getDocumentationComment(checker));
  if (comment === '') throw new Error(`the option ${option.name} has no comment`);
  const byDefault = option.getJsDocTags(checker).find((tag) => tag.name === 'default');
  const written = required ? 'required' : ts.displayPartsToString(byDefault?.text) || (partial ? '' : 'none');
  return `| ${[`\`${option.name}\``, `\`${typeOf(option)}\``, written, comment].map(toCell).join(' | ')} |`;
}

/**
 * Returns the type as the source writes it, which is more informative than the type that the
 * compiler resolves.
 */
function typeOf(option: ts.Symbol): string {
  const declared = option.valueDeclaration ?? option.declarations?.[0];
  if (declared && ts.isMethodSignature(declared)) {
    const parameters = declared.parameters.map((parameter) => parameter.getText()).join(', ');
    return `(${parameters}) => ${declared.type?.getText() ?? 'void'}`;
  }
  if (declared && ts.isPropertySignature(declared) && declared.type) {
    const written = declared.type.getText();
    return ts.isFunctionTypeNode(declared.type) ? written : written.replace(/ \| undefined$/, '');
  }
  throw new Error(`the option ${option.name} is not declared with a type`);
}

function toCell(content: string): string {
  return content.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}
