import { type ChargeRequest, createLimiter } from '../../src/limiter/create-limiter.js';
import { PATIENT } from '../helpers/patient.js';

// A separate process that charges on request. It receives { request, times } and replies with the
// number of admitted operations.

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
