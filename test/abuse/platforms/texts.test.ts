import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredInputField,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import { countCases } from '../serve.js';
import { type OpenPlatform, PLATFORMS } from './platforms.js';

const schema = buildSchema(readFileSync(new URL('../../../schema/admin.graphql', import.meta.url), 'utf8'));
const FIELDS = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ field, type: type.name.toLowerCase() })),
);
const BAD_TEXTS = {
  NUL: 'a\0b',
  'NUL alone': '\0',
  'the first half of a surrogate pair': 'a\ud800b',
  'the second half of a surrogate pair': '\udfff',
  '10 kB': 'x'.repeat(10_000),
  '10 kB of wide characters': '𝒳'.repeat(2_500),
  'an opaque id of NUL': Buffer.from('Rule:\0').toString('base64url'),
};

type Given = GraphQLArgument | GraphQLInputField;

/**
 * Generates values of the type. Each contains the text in one position, and plain values for the
 * other required members.
 */
function* valuesWith(text: string, type: GraphQLInputType): Generator<unknown> {
  const inner = getNullableType(type) as GraphQLInputType;
  if (isListType(inner)) for (const value of valuesWith(text, inner.ofType as GraphQLInputType)) yield [value];
  else if (isInputObjectType(inner)) yield* objectsWith(text, Object.values(inner.getFields()));
  else if (['String', 'ID', 'DateTime'].includes(String(inner))) yield text;
}

function* objectsWith(text: string, members: readonly Given[]): Generator<Record<string, unknown>> {
  const plain = Object.fromEntries(
    members
      .filter((member) => isRequiredInputField(member as GraphQLInputField))
      .map((member) => [member.name, plainValue(member.type)]),
  );
  for (const { name, type } of members) for (const value of valuesWith(text, type)) yield { ...plain, [name]: value };
}

function plainValue(type: GraphQLInputType): unknown {
  const inner = getNullableType(type) as GraphQLInputType;
  if (isListType(inner)) return [plainValue(inner.ofType as GraphQLInputType)];
  if (isEnumType(inner)) return inner.getValues()[0]!.name;
  if (isInputObjectType(inner)) {
    const required = Object.values(inner.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(required.map((member) => [member.name, plainValue(member.type)]));
  }
  return { Int: 1, Float: 1, SafeInt: 1, Boolean: true, DateTime: '2026-03-01T00:00:00Z' }[String(inner)] ?? 'x';
}

describe.each(PLATFORMS)('texts in the admin API, $on', ({ open }) => {
  let opened: OpenPlatform;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };

  it.for(
    Object.entries(BAD_TEXTS),
  )('A33: %s in any text argument of the admin API never causes a server error', async ([what, text], context) => {
    let cases = 0;
    for (const { field, type } of FIELDS) {
      const declared = field.args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
      const given = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
      const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
      const query = `${type} ${declared && `(${declared})`} { ${field.name}${given && `(${given})`} ${selection} }`;
      for (const variables of objectsWith(text, field.args)) {
        const { status, body } = await post(`${opened.platform.url}/admin/graphql`, { query, variables }, admin);
        const where = `${field.name} ${JSON.stringify(variables).slice(0, 200)}: ${what}`;
        expect(status, `${where} ${JSON.stringify(body).slice(0, 300)}`).toBeLessThan(500);
        for (const { extensions } of body.errors ?? [])
          expect(extensions.code, where).not.toBe('INTERNAL_SERVER_ERROR');
        cases++;
      }
    }
    expect(cases).toBeGreaterThan(40);
    for (const parameter of [
      'user',
      'apiKey',
      'ip',
      'tenant',
      'tier',
      'operation',
      'field',
      'rule',
      'from',
      'groupBy',
    ]) {
      for (const group of ['CALLER', 'FIELD', 'RULE']) {
        const search = new URLSearchParams({ groupBy: group, [parameter]: text });
        const answer = await fetch(`${opened.platform.url}/admin/usage.csv?${search}`, { headers: admin });
        expect([200, 400, 429, 431], `${parameter}, ${what}`).toContain(answer.status);
        await answer.arrayBuffer();
        cases++;
      }
    }
    expect(opened.platform.output()).not.toContain('request of the admin API failed');
    countCases(context, cases);
  });
});
