import { expect, test } from 'vitest';
import { describeRejection, isSettingMistake } from '../../src/postgres/describe-rejection.js';

test.each([
  ['3D000', /create it/],
  ['28P01', /correct the user/],
  ['42501', /grant the rights/],
  ['3F000', /search_path/],
  ['25006', /accepts no writes/],
  ['53300', /max_connections/],
])('describeRejection returns a remedy for the error code %s from PostgreSQL, and none for a server that does not reply', (code, expected) => {
  const error = Object.assign(new Error('secret-database'), { code });
  expect(describeRejection(error)).toMatch(expected);
  expect(describeRejection(error)).not.toMatch(/secret-database/);
  expect(describeRejection(new Error('connect ECONNREFUSED'))).toBeUndefined();
});

test('an entry that pg_hba.conf lacks is not described as a wrong password, because the database may be missing', () => {
  const message = 'no pg_hba.conf entry for host "10.0.0.1", user "u", database "secret-database", no encryption';
  const described = describeRejection(Object.assign(new Error(message), { code: '28000' }));
  expect(described).toMatch(/the database may not exist.*correct the name and the user/);
  expect(described).not.toMatch(/secret-database|password/);
});

test.each([
  ['28P01', 'password authentication failed', true],
  ['3D000', 'database "x" does not exist', true],
  ['3F000', 'no schema has been selected to create in', true],
  ['42501', 'permission denied for schema public', true],
  ['08P01', 'no such database: x', true],
  ['08P01', 'SASL authentication failed', true],
  ['08P01', 'unsupported startup parameter: options', true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', true],
  [undefined, 'The server does not support SSL connections', true],
  ['08P01', 'query_wait_timeout', false],
  ['25006', 'cannot execute INSERT in a read-only transaction', false],
  ['53300', 'sorry, too many clients already', false],
  ['57P03', 'the database system is starting up', false],
  [undefined, 'timeout exceeded when trying to connect', false],
  [undefined, 'Connection terminated unexpectedly', false],
])('a mistake in the settings is distinguished from an outage: %s %s', (code, message, isMistake) => {
  expect(isSettingMistake(Object.assign(new Error(message), { code }))).toBe(isMistake);
});

test('a server that rejects connections or has no address counts as an outage', () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT']) {
    const error = Object.assign(new Error(code), { code, syscall: 'connect' });
    expect(isSettingMistake(error)).toBe(false);
    expect(isSettingMistake(new AggregateError([error]))).toBe(false);
  }
});
