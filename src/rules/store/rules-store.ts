import { countRows } from '../../postgres/count-rows.js';
import type { Connections } from '../../postgres/db.js';
import { createAdminTokenStore } from './create-admin-token-store.js';
import { createApiKeyStore } from './create-api-key-store.js';
import { createChangeLog } from './create-change-log.js';
import { createConsoleSessionStore } from './create-console-session-store.js';
import { createRuleStore } from './create-rule-store.js';
import { createSubjectLifecycle } from './create-subject-lifecycle.js';
import { createSubjectStore } from './create-subject-store.js';
import { createTierAssignment } from './create-tier-assignment.js';
import { createTierStore } from './create-tier-store.js';
import { findCommentMistakes } from './outcome.js';
import { createPolicySync } from './policy-sync.js';

export type RulesStore = ReturnType<typeof createRulesStore>;

/**
 * Creates the store of rules, tiers, subjects and API keys in PostgreSQL. It is the source of truth
 * for the limits of every caller. Every change records its actor in the same transaction. The
 * tables must exist: run `migrate` first.
 * @param reports connections for lists and counts, which may scan entire tables
 */
export function createRulesStore(db: Connections, reports: Connections = db) {
  const changes = createChangeLog(db);
  return {
    ...createTierStore(db, changes),
    ...createRuleStore(db, changes),
    ...createSubjectStore(db, changes),
    ...createSubjectLifecycle(changes),
    assignTiers: createTierAssignment(changes),
    ...createApiKeyStore(db, changes),
    ...createAdminTokenStore(db, changes),
    ...createConsoleSessionStore(db, changes),
    ...createPolicySync(db, changes),
    ...createPages(reports),
    /** Counts the rows of a list without reading them. `read` requests one page of the list. */
    count: (read: (pages: StorePages) => Promise<unknown>) => countRows(reports, (on) => read(createPages(on))),
    /** Returns the version of the PostgreSQL server. */
    async databaseVersion(): Promise<string> {
      const [row] = await db.query<{ version: string }>(`select current_setting('server_version') as version`);
      return row!.version;
    },
    latestChange: changes.latestChange,
    changesSince: changes.changesSince,
    historyOf: changes.historyOf,
    changesByNumber: changes.changesByNumber,
    recordDenial: (...denial: Parameters<typeof changes.recordDenial>) => changes.recordDenial(...denial),
    recordSchema: (...change: Parameters<typeof changes.recordSchema>) => changes.recordSchema(...change),
    findCommentMistakes,
    /** Runs the writes of a change to objects that other parts of Tollgate store. */
    write: changes.write,
    onChange: changes.onChange,
  };
}

/** Functions that read one page of each list of the store. */
type StorePages = ReturnType<typeof createPages>;

function createPages(db: Connections) {
  const changes = createChangeLog(db);
  const { pageTiers } = createTierStore(db, changes);
  const { pageRules } = createRuleStore(db, changes);
  const { pageSubjects } = createSubjectStore(db, changes);
  const { pageAdminTokens } = createAdminTokenStore(db, changes);
  const { pageConsoleSessions } = createConsoleSessionStore(db, changes);
  const { pageChanges } = changes;
  return { pageTiers, pageRules, pageSubjects, pageAdminTokens, pageConsoleSessions, pageChanges };
}
