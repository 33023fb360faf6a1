// This import comes first, because the modules below need it for their decorators.
import 'reflect-metadata';
import { GraphQLError, parseValue } from 'graphql';
import { expect, it } from 'vitest';
import { checkRange } from '../../src/admin/context/check-usage-filter.js';
import { DateTimeScalar, parseMoment } from '../../src/admin/schema/json-scalar.js';
import { toClientError } from '../../src/admin/schema/to-client-error.js';

it.each([
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '0999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-01:00',
  '-0001-01-01T00:00:00Z',
  '+012026-01-01T00:00:00Z',
  '10000-01-01',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01\0',
  '\ud800',
  '',
  20260101,
  1e308,
  Number.NaN,
  true,
  null,
  [],
  ['2026-01-01'],
  { toString: 1 },
])('the admin API rejects the time %j as a mistake of the client', (value) => {
  expect(() => parseMoment(value)).toThrow(/DateTime/);
});

it.each([
  ['1000-01-01', '1000-01-01T00:00:00.000Z'],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('the admin API reads the time %s as %s', (text, iso) => {
  expect(parseMoment(text).toISOString()).toBe(iso);
});

it.each([
  '20260101',
  'TODAY',
  '[]',
  '"yesterday"',
  '"2026-02-30"',
  '"31.01.2026"',
])('the error about the time %s in an operation has examples of a time and of a day', (literal) => {
  expect(() => DateTimeScalar.parseLiteral(parseValue(literal))).toThrow(
    `DateTime: expected a time such as "2026-01-31T12:00:00Z" or a day such as "2026-01-31", got ${literal}`,
  );
});

it('the error about a range that ends before it begins has an example', () => {
  const range = { from: parseMoment('2026-02-01'), to: parseMoment('2026-01-01') };
  expect(() => checkRange(range)).toThrow(
    'range: expected `from` before `to`, such as { from: "2026-01-01", to: "2026-02-01" }',
  );
});

it('a range of usage is rejected if its buckets would end in the year 10000', () => {
  const range = { from: parseMoment('9999-11-01'), to: parseMoment('9999-12-31T23:59:59Z') };
  expect(() => checkRange(range)).toThrow('range.to: expected a time before 9999-12-01');
});

it.each([
  '22003',
  '22007',
  '22008',
  '22021',
  '22P05',
])('a value that PostgreSQL rejects with %s is reported as a mistake of the client', (code) => {
  const error = toClientError(Object.assign(new Error('of the database'), { code }));
  expect(error).toBeInstanceOf(GraphQLError);
  expect(error.extensions['code']).toBe('BAD_USER_INPUT');
  expect(error.message).not.toContain('of the database');
});
