import { expect, it } from 'vitest';
import { isSlowExpression } from '../../scripts/is-slow-expression.mjs';
import { cutMessage, hideDetails } from '../../src/http/format-error.js';
import { hideSecrets } from '../../src/observability/hide-secrets.js';

it.each([
  / ?Did you mean [^?]+\?/g,
  /([a-z][a-z0-9+.-]*:\/\/)[^/\s@]*@/gi,
  /, received .*$/,
  /T\S+ \d\d:?\d\d$/,
  /\s+$/,
  /^(a+)+$/,
])('the check of regular expressions finds that %s takes more than linear time', ({ source, flags }) => {
  expect(isSlowExpression(source, flags)).toBe(true);
});

it.each([
  /:\/\/[^/\s@]*@/g,
  /\btg_[\w-]+/g,
  /^[\w-]+$/,
  /T\S{1,20} \d\d:?\d\d$/,
  /\s+/g,
])('the check of regular expressions accepts %s, which takes linear time', ({ source, flags }) => {
  expect(isSlowExpression(source, flags)).toBe(false);
});

it.each([
  ['Unknown field "nam". Did you mean "name" or "names"?', 'Unknown field "nam".'],
  ['Did you mean "a"? Unknown. Did you mean "b"? End', ' Unknown. End'],
  ['a Did you mean ?', 'a Did you mean ?'],
  ['Did you mean Did you mean Did you mean', 'Did you mean Did you mean Did you mean'],
  ['No suggestion? None', 'No suggestion? None'],
])('a response in production shows the message %j as %j', (message, shown) => {
  expect(hideDetails({ message }).message).toBe(shown);
});

it('a message is cut after 2,000 characters, never inside a character, and a message from a resolver is not cut', () => {
  const { message } = cutMessage({ message: `${'x'.repeat(1999)}\u{1f600} and more` });
  expect(message).toBe(`${'x'.repeat(1999)}...`);
  const own = { message: 'x'.repeat(5000), path: ['field'] };
  expect(cutMessage(own)).toBe(own);
});

it.each([
  ['redis://user:word@host:6379/0', 'redis://[hidden]@host:6379/0'],
  ['at HTTPS://a:b@c and x+y.z://d@e', 'at HTTPS://[hidden]@c and x+y.z://[hidden]@e'],
  ['https://host/path@home', 'https://host/path@home'],
])('the log shows %j as %j', (text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});
