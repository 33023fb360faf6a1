import { expect, test } from 'vitest';
import { describeRefusal } from '../../src/postgres/describe-refusal.js';

test.each([
  ['3D000', /create it/],
  ['28P01', /correct the user/],
  ['25006', /takes no writes/],
  ['53300', /max_connections/],
])('a PostgreSQL that answers with %s is told from one that does not answer, with what to do', (code, says) => {
  const error = Object.assign(new Error('secret-database'), { code });
  expect(describeRefusal(error)).toMatch(says);
  expect(describeRefusal(error)).not.toMatch(/secret-database/);
  expect(describeRefusal(new Error('connect ECONNREFUSED'))).toBeUndefined();
});
