import { COST_PRESET_NAMES } from '../../cost/settings/cost-presets.js';
import { PROFILE_NAMES } from '../../cost/settings/cost-profile.js';
import { alternatives } from '../../options/alternatives.js';
import { GATEWAY_SETTINGS } from '../config/gateway-flags.js';
import type { CommandSpec, Flags } from '../config/read-command-line.js';
import { flagsOf, variablesOf } from '../config/setting-declaration.js';
import { SETTING_FLAGS, SETTING_VARIABLES } from '../config/setting-flags.js';

/**
 * The commands with all their flags. Command lines are parsed by these tables, and help and
 * docs/commands.md are printed from them.
 */

const DATABASE_URL = { DATABASE_URL: 'the database: postgres://' };

export const START = {
  name: 'start',
  says: 'the platform: GraphQL API, administration, health and metrics; runs until SIGTERM or SIGINT',
  flags: SETTING_FLAGS,
  variables: SETTING_VARIABLES,
  exitCodes: {
    0: 'it was stopped by a signal, and what was in flight has ended',
    1: 'it cannot start: the settings are wrong, a port is taken, a database cannot be used; or a second signal ended it',
  },
} as const satisfies CommandSpec<Flags>;

const GATEWAY = {
  name: 'gateway',
  says: 'the platform in front of a GraphQL endpoint that stays as it is; runs until SIGTERM or SIGINT',
  flags: {
    ...flagsOf(GATEWAY_SETTINGS),
    ...SETTING_FLAGS,
    'log-level': {
      ...SETTING_FLAGS['log-level'],
      says: 'fatal, error, warn, info, debug, trace or silent (default info)',
    },
    demo: {
      variable: 'TOLLGATE_DEMO',
      says: 'the sample API as the upstream, in a server of its own, with its tiers and keys',
    },
  },
  variables: { ...variablesOf(GATEWAY_SETTINGS), ...SETTING_VARIABLES },
  exitCodes: {
    0: 'it was stopped by a signal, and what was in flight has ended',
    1: 'it cannot start: the settings are wrong, the schema cannot be read, a port is taken; or a second signal ended it',
  },
} as const satisfies CommandSpec<Flags>;

export const COST = {
  name: 'cost',
  says: 'what operations cost, from the schema alone: nothing is started',
  operand: { name: 'QUERY', isRepeated: true, isOptional: true },
  flags: {
    schema: {
      value: 'FILE',
      isRepeated: true,
      says: 'the schema: SDL, or the JSON of an introspection query; required. A folder, or several --schema, are merged',
    },
    query: {
      value: 'FILE',
      isRepeated: true,
      says: 'a file or folder of operations: GraphQL, TypeScript or JavaScript with gql`...`, or a manifest of persisted documents; or the text of an operation. --query itself may be left out',
    },
    variables: { value: 'JSON', says: 'an object of variables, as text or as a file' },
    operation: { value: 'NAME', says: 'which operation of the file (default: all of them)' },
    profile: { value: 'NAME', says: `${alternatives(PROFILE_NAMES)} (default tokens)` },
    'default-list-size': { value: 'N', says: 'the size of a list that nothing tells the size of (default 10)' },
    'minimum-cost': { value: 'N', says: 'the least that an operation costs (default 1)' },
    costs: {
      value: 'FILE',
      says: 'prices by schema coordinate, YAML or JSON, for a schema that is not yours; they win over those in it',
    },
    'infer-connections': { says: 'take first and last of Relay connections as their size in every profile' },
    json: {
      says: 'print { cost, typeCost, fieldCost, fields }; of several operations { operations: [...] }; with --check-schema { problems, groups }',
    },
    explain: { says: 'print where the cost comes from' },
    budget: { value: 'N', says: 'exit with 1 when an operation costs more' },
    diff: {
      value: 'FILE',
      says: 'print what became more expensive since the earlier output of --json; with --check-schema, what differs from an earlier schema or file of prices',
    },
    manifest: {
      value: 'OUT',
      says: 'write the prices of all operations, as formulas, to this file: clients know them before sending',
    },
    'check-schema': {
      says: 'only check the annotations of the schema, and list the sizes that are guesses; with operations, those first that most of their cost comes from',
    },
    recorded: {
      value: 'DAYS',
      says: 'with --check-schema: list those sizes first that most of the cost of the operations of the last days came from, by the log of decisions in DATABASE_URL',
    },
    'write-costs': {
      value: 'FILE',
      says: 'with --check-schema: add the entries that it advises to a file of prices, YAML or JSON, or make one; entries that are there stay',
    },
    'print-preset': {
      value: 'NAME',
      says: `print a preset, as entries of a file of prices: ${alternatives(COST_PRESET_NAMES)}`,
    },
  },
  variables: { DATABASE_URL: 'the database of --recorded: postgres://' },
  exitCodes: {
    0: 'every operation has its price, within the budget',
    1: 'an operation is above its budget, or an annotation of the schema is wrong (--check-schema)',
    2: 'the command line, the schema, the database or a file of prices cannot be used or written, or an operation has no price: the others are priced all the same',
  },
} as const satisfies CommandSpec;

export const MIGRATE = {
  name: 'migrate',
  says: 'brings the database of DATABASE_URL up to date, or says whether it is',
  actions: {
    up: 'applies what is pending, one migration after the other',
    status: 'says what is applied and what is pending, and writes nothing',
  },
  flags: {},
  variables: DATABASE_URL,
  exitCodes: {
    0: 'the database is up to date',
    1: 'something is pending (status), this version must not run on the database, or a migration failed',
    2: 'the command line cannot be read',
  },
} as const satisfies CommandSpec;

const DOCTOR = {
  name: 'doctor',
  says: 'looks at Redis, PostgreSQL, clocks and settings as "start" would use them; changes nothing',
  flags: SETTING_FLAGS,
  variables: SETTING_VARIABLES,
  exitCodes: {
    0: 'it will work, with what is warned of',
    1: 'something will not work',
  },
} as const satisfies CommandSpec<Flags>;

export const RULES = {
  name: 'rules',
  says: 'makes tiers and rules what a file of YAML or JSON says',
  actions: {
    plan: 'prints what would change, and writes nothing',
    apply: 'changes it, all of it or nothing, after the database was brought up to date',
  },
  operand: { name: 'FILE' },
  flags: {
    prune: { says: 'retire the rules and tiers that the file does not name' },
    comment: { value: 'TEXT', says: 'why, for the record of changes' },
    'data-dir': {
      value: 'FOLDER',
      says: 'the embedded database in this folder in place of DATABASE_URL, while no process uses it',
    },
  },
  variables: DATABASE_URL,
  exitCodes: {
    0: 'it is planned, or applied',
    1: 'the file has mistakes, or the database is behind this version (plan) or cannot be used; nothing was changed',
    2: 'the command line cannot be read',
  },
} as const satisfies CommandSpec;

export const COMMANDS: readonly CommandSpec[] = [START, GATEWAY, COST, MIGRATE, DOCTOR, RULES];
