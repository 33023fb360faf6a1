import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { test } from 'vitest';
import { createCheckedRequest } from '../../../src/limiter/charge/checked-request.js';
import { createLimitCompiler, type LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createSetAside } from '../../../src/limiter/fallback/set-aside.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { until } from '../../helpers/until.js';
import { someone } from '../engines.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('requests of calls that were abandoned and denied long ago do not stay in memory, even if no later charge needs a share', async () => {
  const clock = { now: 0 };
  const setAside = createSetAside({ instances: () => 1, keepMs: 1000, clock: () => clock.now });
  const closed: LimitCharge = {
    id: 'calls',
    scope: 'USER',
    algorithm: 'FIXED_WINDOW',
    amount: 10,
    windowMs: 60_000,
    cost: 1,
    onUnavailable: 'CLOSED',
  };
  const limit = createLimitCompiler().compile(closed, 0);
  const giveUp = () => {
    const request = createCheckedRequest(someone(), [limit], [1]);
    const call = setAside.began(request);
    setAside.gaveUp(call);
    setAside.ended(call);
    return new WeakRef(request);
  };
  const first = giveUp();
  clock.now = 2000;
  giveUp();
  await until(
    'the first request is gone',
    async () => {
      collectGarbage();
      return first.deref() === undefined;
    },
    PATIENT_MS,
  );
});
