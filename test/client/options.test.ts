import { expect, it } from 'vitest';
import { tollgateLink } from '../../packages/client/src/apollo.js';
import { paceSubscriptions } from '../../packages/client/src/graphql-ws.js';
import { createPacedFetch, createPacer } from '../../packages/client/src/index.js';
import { tollgateExchange } from '../../packages/client/src/urql.js';

const NAMES = 'maxQueue, maxWaitMs, maxProbes, onEvent, now, setTimer, random';

it.each([
  ['createPacer', (options: never) => createPacer(options), NAMES],
  [
    'createPacedFetch',
    (options: never) => createPacedFetch(fetch, options),
    `${NAMES}, pacer, read, priceOf, priorityOf`,
  ],
  ['tollgateLink', (options: never) => tollgateLink(options), `${NAMES}, pacer, read, priceOf, priorityOf`],
  ['tollgateExchange', (options: never) => tollgateExchange(options), `${NAMES}, pacer, read, priceOf, priorityOf`],
])('%s rejects unknown options and invalid values', (functionName, make, names) => {
  expect(() => make({ maxWait: 10, maxQueue: '5', onEvent: undefined } as never)).toThrow(
    new TypeError(
      `${functionName}: maxWait: unknown option; the options are ${names}; maxQueue: expected a number of 0 or more, got a string`,
    ),
  );
  expect(() => make(7 as never)).toThrow(new TypeError(`${functionName}: options: expected an object, got 7`));
  make({ maxWaitMs: Number.POSITIVE_INFINITY, onEvent: undefined } as never);
});

it('createPacedFetch explains that its options are the second argument', () => {
  expect(() => createPacedFetch({ maxQueue: 5 } as never)).toThrow('got an object; options are the second argument');
});

it('options of a pacer are rejected together with an existing pacer', () => {
  const pacer = createPacer();
  expect(() => createPacedFetch(fetch, { pacer, maxQueue: 5 })).toThrow(
    'maxQueue: pass it to the pacer instead: createPacer({ maxQueue })',
  );
  expect(() => createPacedFetch(fetch, { pacer: {} as never })).toThrow('pacer: expected a pacer from createPacer');
});

it('paceSubscriptions rejects unknown options and invalid values', () => {
  expect(() => paceSubscriptions({ subscribe: () => () => {} }, { maxWait: 10, onWait: 5 } as never)).toThrow(
    new TypeError(
      'paceSubscriptions: maxWait: unknown option; the options are maxWaitMs, onWait, now, setTimer, random; onWait: expected a function, got 5',
    ),
  );
});
