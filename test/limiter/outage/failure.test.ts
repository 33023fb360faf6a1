import { ReplyError } from 'ioredis';
import { expect, test } from 'vitest';
import { classify, DeadlineError, isAlarming } from '../../../src/limiter/redis/engine-failure.js';

const coded = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:6379`), { code });

test.each([
  ['NOAUTH Authentication required.', 'auth'],
  ['WRONGPASS invalid username-password pair or user is disabled.', 'auth'],
  ["NOPERM User default has no permissions to run the 'evalsha' command", 'auth'],
  ['LOADING Redis is loading the dataset in memory', 'loading'],
  ['BUSY Redis is busy running a script.', 'busy'],
  ["READONLY You can't write against a read only replica.", 'read_only'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'out_of_memory'],
  ['MISCONF Redis is configured to save RDB snapshots', 'not_durable'],
  ['NOREPLICAS Not enough good replicas to write.', 'not_durable'],
  ['CLUSTERDOWN Hash slot not served', 'cluster'],
  ['TRYAGAIN Multiple keys request during rehashing of slot', 'cluster'],
  ['NOSCRIPT No matching script.', 'script'],
  ["CROSSSLOT Keys in request don't hash to the same slot", 'script'],
  ['ERR user_script:12: attempt to index a nil value', 'script'],
  ['TOLLGATE a charge has a bad slot or cost', 'script'],
  ['ERR max number of clients reached', 'connection'],
])('the error "%s" has the class %s', (message, expected) => {
  expect(classify(new ReplyError(message))).toBe(expected);
});

test('an error without a reply is classified by its code or its message', () => {
  expect(classify(new DeadlineError(25, false))).toBe('deadline');
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']) {
    expect(classify(coded(code))).toBe('connection');
  }
  expect(classify(new Error('Connection is closed.'))).toBe('connection');
  expect(classify(new Error("Stream isn't writeable and enableOfflineQueue options is false"))).toBe('connection');
  expect(classify(new Error('Too many Cluster redirections. Last error: ReplyError: MOVED 1 a:1'))).toBe('cluster');
  expect(classify(new Error('something else'))).toBe('unknown');
  expect(classify('no error at all')).toBe('unknown');
});

test('the error of a cluster without a reachable node has the same class as the error of its last node', () => {
  const error = Object.assign(new Error('Failed to refresh slots cache.'), {
    lastNodeError: new ReplyError('NOAUTH Authentication required.'),
  });
  expect(classify(error)).toBe('auth');
  expect(classify(new Error('Failed to refresh slots cache.'))).toBe('cluster');
});

test('only failures that do not recover on their own raise an alarm', () => {
  expect(isAlarming('auth')).toBe(true);
  expect(isAlarming('script')).toBe(true);
  expect(isAlarming('deadline')).toBe(false);
  expect(isAlarming('out_of_memory')).toBe(false);
});
