import { readFileSync } from 'node:fs';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  printSchema,
  visit,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createAdminSchema } from '../../src/admin/create-admin-schema.js';
import { printAdminSdl } from '../../src/admin/schema/print-admin-sdl.js';
import { policyJsonSchema } from '../../src/rules/policy/policy-document.js';
import { UNUSED_SOURCES } from './unused-sources.js';

const readSchemaFile = () => readFileSync(new URL('../../schema/admin.graphql', import.meta.url), 'utf8');
const createSchema = () => createAdminSchema(UNUSED_SOURCES);

describe('the schema of the admin API', () => {
  it('the schema of the admin API equals schema/admin.graphql', () => {
    const file = readFileSync(new URL('../../schema/admin.graphql', import.meta.url), 'utf8');
    expect(printAdminSdl(createSchema())).toBe(file);
    // The file describes the same schema as the output of printSchema, in fewer lines.
    const whole = printSchema(lexicographicSortSchema(createSchema()));
    expect(printSchema(lexicographicSortSchema(buildSchema(file)))).toBe(whole);
    expect(file.split('\n').length).toBeLessThan(whole.split('\n').length * 0.75);
  });

  it('the JSON Schema of policies equals schema/policy.schema.json', () => {
    const file = readFileSync(new URL('../../schema/policy.schema.json', import.meta.url), 'utf8');
    expect(`${JSON.stringify(policyJsonSchema(), null, 2)}\n`).toBe(file);
  });

  it('the admin schema describes every type, field, argument and enum value', () => {
    const undescribed: string[] = [];
    const look = (name: string, { description }: { description?: string | null | undefined }) => {
      if (!description) undescribed.push(name);
    };
    const types = Object.values(createSchema().getTypeMap()).filter((type) => !isIntrospectionType(type));
    for (const type of types) {
      look(type.name, type);
      if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
      if (isInputObjectType(type)) {
        for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field);
      }
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        look(`${type.name}.${field.name}`, field);
        for (const arg of field.args) look(`${type.name}.${field.name}(${arg.name})`, arg);
      }
    }
    expect(types.length).toBeGreaterThan(10);
    expect(undescribed).toEqual([]);
  });

  it('every description in the admin schema is a whole sentence, and no long one is repeated', () => {
    const descriptions: string[] = [];
    visit(parse(readSchemaFile()), {
      enter(node) {
        if ('description' in node && node.description) descriptions.push(node.description.value);
      },
    });
    expect(descriptions.length).toBeGreaterThan(500);
    const broken = descriptions.filter((text) => !/^[A-Z`][\s\S]*[.`]$/.test(text));
    expect(broken).toEqual([]);
    const empty = /^(What|Which|Whom|Who|The message|Only these|What it does|What of it)\.$/;
    expect(descriptions.filter((text) => empty.test(text))).toEqual([]);
    const isLong = (text: string) => text.length > 70;
    const repeated = descriptions.filter((text, place) => isLong(text) && descriptions.indexOf(text) !== place);
    expect(repeated).toEqual([]);
  });

  it('the admin schema can be built more than once in a process', () => {
    expect(printSchema(createSchema())).toBe(printSchema(createSchema()));
  });
});
