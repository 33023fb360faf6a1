/** Tables of at most a few thousand rows. PostgreSQL rewrites or scans such a table in a moment. */
const SMALL_TABLES = new Set(['tiers', 'rules', 'rule_tiers', 'rule_limits', 'admin_tokens', 'usage_partitioned']);

const CHECKS: readonly { pattern: RegExp; advice: string }[] = [
  {
    pattern: /^create (?:unique )?index (?!concurrently\b)(?:if not exists )?(?:\w+ )?on (?:only )?(?<table>\w+)/,
    advice: 'create index concurrently, in a separate file',
  },
  { pattern: /^drop index (?!concurrently\b)(?<table>\w+)/, advice: 'drop index concurrently' },
  {
    pattern:
      /^alter table (?:only )?(?<table>\w+)\b.*\badd (?:constraint \w+ )?(?:check|foreign key)\b(?!.*\bnot valid\b)/,
    advice: 'add the constraint as "not valid", and validate it in a later file',
  },
  {
    pattern:
      /^alter table (?:only )?(?<table>\w+)\b.*\badd (?:constraint \w+ )?(?:unique|primary key|exclude)\b(?!.*\busing index\b)/,
    advice: 'create the index concurrently first, then add the constraint "using index"',
  },
  {
    pattern: /^alter table (?:only )?(?<table>\w+)\b.*\bset not null\b/,
    advice: 'add a check as "not valid" and validate it in a later file',
  },
  {
    pattern: /^alter table (?:only )?(?<table>\w+)\b.*\balter (?:column )?\w+ (?:set data )?type\b/,
    advice: 'add another column: a change of type rewrites the table',
  },
  {
    pattern: /^alter table (?:only )?(?<table>\w+)\b.*\badd column\b.*\bcheck\b/,
    advice: 'add the column first, then its check as "not valid"',
  },
  {
    pattern: /^alter table (?:only )?(?<table>\w+)\b.*\badd column\b.*\b(?:default \w+\(|generated\b)/,
    advice: 'add the column without a default that is computed for each row, which rewrites the table',
  },
  {
    pattern: /^(?:vacuum full|cluster|lock table|reindex (?!.*concurrently))(?: table| index)? ?(?<table>\w+)?/,
    advice: 'omit it: it blocks all other statements on the table',
  },
];

/**
 * Returns the statements of a migration that block writers of a potentially large table. Only
 * statements on tables that other migrations have created are checked. Statements inside of
 * functions and `do` blocks are not checked.
 */
export function findLockingStatements(sql: string): string[] {
  const text = sql
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/\s+/g, ' ')
    .toLowerCase();
  const statements = text.split(';').map((one) => one.trim());
  const made = new Set(statements.flatMap((one) => /^create table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? []));
  return statements.flatMap((statement) =>
    CHECKS.flatMap(({ pattern, advice }) => {
      const found = pattern.exec(statement);
      const table = found?.groups?.['table'] ?? '';
      const isSmall = [...SMALL_TABLES].some((small) => table === small || table.startsWith(`${small}_`));
      return found && !made.has(table) && !isSmall ? [`${statement.slice(0, 80)}: ${advice}`] : [];
    }),
  );
}
