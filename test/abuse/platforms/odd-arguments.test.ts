import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminSchema } from '../../../src/admin/create-admin-schema.js';
import { UNUSED_SOURCES } from '../../admin/unused-sources.js';
import { createRandom, type Random } from '../../cost/reference/random.js';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import { countCases } from '../serve.js';
import { type OpenPlatform, PLATFORMS } from './platforms.js';

const ROUNDS = 10;
const SEED = Number(process.env['ODD_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const schema = createAdminSchema(UNUSED_SOURCES);
const FIELDS = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ field, type: type.name.toLowerCase() })),
);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const TEXTS = [
  ...['', ' ', '0', '-1', 'NaN', '$1', '[{', '%00', "'; drop table tiers;--", '__proto__', 'constructor'],
  ...['\0', 'a\0b', '\ud800', '\u202e', 'x'.repeat(100_000)],
  ...['0000-01-01T00:00:00Z', '+275760-09-13T00:00:00.001Z', '9999-12-31T23:59:60Z', '2026-02-30T00:00:00Z'],
  // Cursors have this form.
  ...[base64('null'), base64('[1e400]'), base64('{"a":1}'), base64('["x","y",{}]')],
];
const INTEGERS = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
const NUMBERS = [...INTEGERS, -0, 0.1, 5e-324, 1e308, 2 ** 53 + 2];
const OTHERS = [...NUMBERS, true, [], {}];

/**
 * Returns a value that an argument of this type accepts or nearly accepts, or undefined to omit
 * the argument.
 */
function oddValue(random: Random, type: GraphQLInputType, depth = 0): unknown {
  if (!isNonNullType(type) && (depth > 4 || random.chance(0.3))) return random.chance(0.5) ? null : undefined;
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    return Array.from({ length: random.below(4) }, () => oddValue(random, nullable.ofType, depth) ?? null);
  }
  if (isInputObjectType(nullable)) {
    const all = Object.values(nullable.getFields());
    const fields = nullable.isOneOf ? [random.pick(all)] : all;
    return Object.fromEntries(fields.map((field) => [field.name, oddValue(random, field.type, depth + 1)]));
  }
  if (isEnumType(nullable)) return random.pick(nullable.getValues()).name;
  switch (nullable.name) {
    case 'Int':
      return random.pick(INTEGERS);
    case 'Float':
      return random.pick(NUMBERS);
    case 'Boolean':
      return random.chance(0.5);
    default:
      return random.chance(0.8) ? random.pick(TEXTS) : random.pick<unknown>(OTHERS);
  }
}

describe.each(PLATFORMS)('arguments of the admin API, $on', ({ open }) => {
  let opened: OpenPlatform;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  it('A20: odd argument values cause client errors at most, and never failures of the platform', async (context) => {
    process.stdout.write(`odd arguments: ODD_SEED=${SEED}\n`);
    const random = createRandom(SEED);
    const failures: string[] = [];
    const answers = new Map<number, number>();
    for (const { field, type } of FIELDS) {
      for (let round = 0; round < ROUNDS; round++) {
        const given = field.args.flatMap((argument) => {
          const value = oddValue(random, argument.type);
          return value === undefined ? [] : [{ argument, value }];
        });
        const definitions = given.map(({ argument }) => `$${argument.name}: ${argument.type}`);
        const args = given.map(({ argument }) => `${argument.name}: $${argument.name}`);
        const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
        const inParentheses = (parts: string[]) => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
        const query = `${type} Odd${inParentheses(definitions)} { ${field.name}${inParentheses(args)} ${selection} }`;
        const variables = Object.fromEntries(given.map(({ argument, value }) => [argument.name, value]));
        const answer = await post(
          `${opened.platform.url}/admin/graphql`,
          { query, variables },
          { authorization: `Bearer ${ADMIN_TOKEN}` },
        );
        const { status, body } = answer;
        answers.set(status, (answers.get(status) ?? 0) + 1);
        const codes: unknown[] = (body.errors ?? []).map(
          (error: { extensions?: { code?: unknown } }) => error.extensions?.code,
        );
        if (status < 500 && codes.every((code) => typeof code === 'string' && !/INTERNAL|UNAVAILABLE/.test(code)))
          continue;
        failures.push(`${field.name} ${JSON.stringify(variables).slice(0, 500)}: ${status} ${codes}`);
      }
    }
    expect(failures).toEqual([]);
    // The test is useless if all operations fail at the first check.
    expect(answers.get(200)).toBeGreaterThan(FIELDS.length);
    countCases(context, ROUNDS * FIELDS.length);
  });
});
