import { type ChargeRequest, createLimiter } from '../../src/limiter/create-limiter.js';
import { PATIENT } from '../helpers/patient.js';

// A process of its own that charges when it is told to: { request, times } in, how many were admitted out.

const limiter = createLimiter({
  redis: process.argv[2]!,
  ...PATIENT,
});

process.on('message', async ({ request, times }: { request: ChargeRequest; times: number }) => {
  const decisions = await Promise.all(Array.from({ length: times }, () => limiter.charge(request)));
  process.send!(decisions.filter(({ admitted }) => admitted).length);
});
process.on('disconnect', () => void limiter.close());
await limiter.peek({ subject: { user: 'warm up' }, limits: [] });
process.send!('ready');
