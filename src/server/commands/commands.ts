import { COST_PRESET_NAMES } from '../../cost/settings/cost-presets.js';
import { PROFILE_NAMES } from '../../cost/settings/cost-profile.js';
import { alternatives } from '../../options/alternatives.js';
import { CAPACITY_FLAGS } from '../config/capacity-flags.js';
import { DECIDE_SETTINGS, GATEWAY_FLAGS, GATEWAY_SETTINGS, UNUSED_BY_DECIDE } from '../config/gateway-flags.js';
import type { CommandSpec, Flags } from '../config/read-command-line.js';
import { flagsOf, flagsWithout, variablesOf } from '../config/setting-declaration.js';
import { SETTING_FLAGS, SETTING_VARIABLES } from '../config/setting-flags.js';

/**
 * The commands with all their flags. Tollgate parses command lines with these tables, and generates
 * the help and docs/commands.md from them.
 */

const DATABASE_URL = { DATABASE_URL: 'the database: postgres://' };

export const START = {
  name: 'start',
  description: 'the platform: GraphQL API, admin API, health and metrics; runs until SIGTERM or SIGINT',
  flags: SETTING_FLAGS,
  variables: SETTING_VARIABLES,
  exitCodes: {
    0: 'a signal stopped it, and all requests in flight ended',
    1: 'it cannot start: wrong settings, a port in use, an unusable database; or a second signal ended it',
  },
} as const satisfies CommandSpec<Flags>;

const GATEWAY = {
  name: 'gateway',
  description: 'the platform in front of an unchanged GraphQL endpoint; runs until SIGTERM or SIGINT',
  flags: {
    ...flagsOf(GATEWAY_SETTINGS),
    ...SETTING_FLAGS,
    'log-level': {
      ...SETTING_FLAGS['log-level'],
      description: 'fatal, error, warn, info, debug, trace or silent (default info)',
    },
    demo: {
      variable: 'TOLLGATE_DEMO',
      description: 'use the sample API as the upstream, in a separate server, with its tiers and keys',
    },
    ...GATEWAY_FLAGS,
  },
  variables: { ...variablesOf(GATEWAY_SETTINGS), ...SETTING_VARIABLES },
  exitCodes: {
    0: 'a signal stopped it, and all requests in flight ended; or the file of --write-costs is written',
    1: 'it cannot start: wrong settings, an unreadable schema, a port in use; or a second signal ended it',
  },
} as const satisfies CommandSpec<Flags>;

const DECIDE = {
  name: 'decide',
  description: 'the platform without an API: decides for routers, proxies and servers; runs until SIGTERM or SIGINT',
  flags: {
    ...flagsOf(DECIDE_SETTINGS),
    ...flagsWithout(SETTING_FLAGS, Object.keys(UNUSED_BY_DECIDE)),
    port: {
      ...SETTING_FLAGS.port,
      description: 'the port of decisions, the admin API and the console (default 4000)',
    },
    'log-level': {
      ...SETTING_FLAGS['log-level'],
      description: 'fatal, error, warn, info, debug, trace or silent (default info)',
    },
    production: {
      ...SETTING_FLAGS.production,
      description:
        'no login code in the logged address of the console, errors without details (default: on with NODE_ENV=production or without --demo)',
    },
    demo: { variable: 'TOLLGATE_DEMO', description: 'price the operations of the sample API, with its tiers and keys' },
  },
  variables: { ...variablesOf(DECIDE_SETTINGS), ...SETTING_VARIABLES },
  exitCodes: {
    0: 'a signal stopped it, and all requests in flight ended',
    1: 'it cannot start: wrong settings, an unreadable schema, a port in use; or a second signal ended it',
  },
} as const satisfies CommandSpec<Flags>;

export const COST = {
  name: 'cost',
  description: 'prices operations by the schema, without a server',
  operand: { name: 'QUERY', isRepeated: true, isOptional: true },
  flags: {
    schema: {
      value: 'FILE',
      isRepeated: true,
      description:
        'the schema, as SDL or as the JSON of an introspection query; required. The files of a folder, or of several --schema, are merged',
    },
    query: {
      value: 'FILE',
      isRepeated: true,
      description:
        'a file or folder of operations: GraphQL, TypeScript or JavaScript with gql`...`, or a manifest of persisted documents; or the text of an operation. The word --query is optional',
    },
    variables: { value: 'JSON', description: 'an object of variables, as text or as a file' },
    operation: { value: 'NAME', description: 'the operation of the file to price (default: all)' },
    profile: { value: 'NAME', description: `${alternatives(PROFILE_NAMES)} (default tokens)` },
    'default-list-size': { value: 'N', description: 'the size of a list without a known size (default 10)' },
    'minimum-cost': { value: 'N', description: 'the minimum cost of an operation (default 1)' },
    costs: {
      value: 'FILE',
      description: 'prices by schema coordinate, YAML or JSON; they override the prices in the schema',
    },
    'infer-connections': { description: 'use first and last of Relay connections as list sizes in every profile' },
    json: {
      description:
        'print { cost, typeCost, fieldCost, fields }; for several operations { operations: [...] }; with --check-schema { problems, groups }',
    },
    explain: { description: 'print the cost by field' },
    budget: { value: 'N', description: 'exit with 1 if an operation costs more than N' },
    diff: {
      value: 'FILE',
      description:
        'print cost increases since the earlier output of --json; with --check-schema, the differences from an earlier schema or file of prices',
    },
    manifest: {
      value: 'OUT',
      description:
        'write the prices of all operations to this file, as formulas with which clients compute costs before sending',
    },
    'check-schema': {
      description:
        'only check the annotations of the schema, and list the sizes that are guesses; with operations, ordered by their share of the cost',
    },
    recorded: {
      value: 'DAYS',
      description:
        'with --check-schema: order the sizes by their share of the cost of recent operations, from this many days of the decision log in DATABASE_URL',
    },
    'write-costs': {
      value: 'FILE',
      description:
        'with --check-schema: add the advised entries to a new or existing file of prices, YAML or JSON; existing entries stay',
    },
    'print-preset': {
      value: 'NAME',
      description: `print a preset, as entries of a file of prices: ${alternatives(COST_PRESET_NAMES)}`,
    },
  },
  variables: { DATABASE_URL: 'the database of --recorded: postgres://' },
  exitCodes: {
    0: 'every operation has a price, within the budget',
    1: 'an operation is above its budget, or an annotation of the schema is wrong (--check-schema)',
    2: 'the command line, the schema, the database or a file of prices cannot be used or written, or an operation has no price; the other operations are still priced',
  },
} as const satisfies CommandSpec;

export const MIGRATE = {
  name: 'migrate',
  description: 'migrates the database of DATABASE_URL, or prints its state',
  actions: {
    up: 'applies pending migrations in order',
    status: 'prints applied and pending migrations, and writes nothing',
  },
  flags: {},
  variables: DATABASE_URL,
  exitCodes: {
    0: 'the database is up to date',
    1: 'a migration is pending (status), this version must not run on the database, or a migration failed',
    2: 'the command line cannot be read',
  },
} as const satisfies CommandSpec;

const DOCTOR = {
  name: 'doctor',
  description:
    'checks Redis, PostgreSQL, clocks and settings as "start" uses them; changes only the counters of a test caller',
  flags: SETTING_FLAGS,
  variables: SETTING_VARIABLES,
  exitCodes: {
    0: 'no check failed; warnings are possible',
    1: 'a check failed',
  },
} as const satisfies CommandSpec<Flags>;

export const RULES = {
  name: 'rules',
  description: 'sets tiers and rules to those of a YAML or JSON file, or tests such a file',
  actions: {
    plan: 'prints the changes, and writes nothing',
    apply: 'migrates the database, then makes all changes or none',
    test: 'runs the cases of a file, in memory: operations of callers at given times, and whether they are admitted',
  },
  operand: { name: 'FILE' },
  flags: {
    prune: { description: 'plan, apply: retire the rules and tiers that the file does not name' },
    comment: { value: 'TEXT', description: 'plan, apply: the reason, for the record of changes' },
    'data-dir': {
      value: 'FOLDER',
      description:
        'plan, apply: the folder of an embedded database, instead of DATABASE_URL; no other process may use it',
    },
  },
  variables: DATABASE_URL,
  exitCodes: {
    0: 'the plan is printed or applied, or all cases passed (test)',
    1: 'the file has mistakes, or the database is older than this version (plan) or cannot be used, and nothing changed; or a case failed (test)',
    2: 'the command line cannot be read; or a file cannot be used (test)',
  },
} as const satisfies CommandSpec;

export const DOCUMENTS = {
  name: 'documents',
  description: 'registers the documents that apps send by id: see docs/documents.md',
  actions: {
    push: 'stores the documents of a manifest, a GraphQL file or a folder, as a version of an app',
    check:
      'checks and prices documents on a schema, for CI: those of a file, or without one all published documents; writes nothing',
    publish: 'lets callers send the documents of a version by id',
    retire: 'ends a version; fails while callers use it',
    list: 'prints the versions, or with --version its documents, and their uses',
  },
  operand: { name: 'FILE', isOptional: true },
  flags: {
    app: { value: 'NAME', description: 'the app, such as web' },
    version: { value: 'NAME', description: 'the version of the app, such as 1.4.0' },
    publish: { description: 'push: also publish the version' },
    comment: { value: 'TEXT', description: 'push, publish, retire: the reason, for the record of changes' },
    schema: { value: 'FILE', isRepeated: true, description: 'check: the schema, as for "tollgate cost"' },
    costs: { value: 'FILE', description: 'check: prices by schema coordinate, YAML or JSON' },
    service: {
      value: 'NAME',
      description: 'check: use the schema and prices that a server has published in DATABASE_URL',
    },
    against: {
      value: 'FILE',
      description: 'check: compare with an earlier manifest (default: with --app, the last published version)',
    },
    'max-cost': { value: 'N', description: 'check: exit with 1 if a document can cost more than N tokens' },
    'max-increase': { value: 'PERCENT', description: 'check: exit with 1 if the cost of an operation rises by more' },
    'unused-days': {
      value: 'N',
      description: 'retire: days without a use that the version needs (default 7; 0: none)',
    },
    'unused-since': { value: 'DAYS', description: 'list: only what was not used for this many days' },
    'data-dir': {
      value: 'FOLDER',
      description: 'the folder of an embedded database, instead of DATABASE_URL; no other process may use it',
    },
  },
  variables: DATABASE_URL,
  exitCodes: {
    0: 'the change is made, or the list is printed, or all documents passed (check)',
    1: 'a document was rejected, is too expensive or is invalid on the schema (check), or the version is in use (retire); nothing changed',
    2: 'the command line, a file or the schema cannot be used',
  },
} as const satisfies CommandSpec;

export const CAPACITY = {
  name: 'capacity',
  description: 'computes instances, servers, disk and cost of a load from measured constants: see docs/capacity.md',
  flags: CAPACITY_FLAGS,
  exitCodes: {
    0: 'the plan is printed, even if the load exceeds a bound',
    2: 'the command line cannot be read',
  },
} as const satisfies CommandSpec;

export const COMMANDS: readonly CommandSpec[] = [
  START,
  GATEWAY,
  DECIDE,
  COST,
  MIGRATE,
  DOCTOR,
  RULES,
  DOCUMENTS,
  CAPACITY,
];
