import { useQuota } from 'tollgate-client/react';
import { send } from './api.js';

/** What is left of the budget, as the last answer said it. */
export function QuotaBar() {
  const quota = useQuota(send.pacer);
  const { available = 0, capacity = 1, waiting = 0 } = quota ?? {};
  return (
    <section aria-label="Your budget">
      <meter aria-label="Tokens left" value={available} max={capacity} low={capacity / 4} />
      <p role="status">
        {quota ? `${available} of ${capacity} tokens left` : 'Nothing has been asked yet'}
        {waiting > 0 && `, ${waiting} ${waiting === 1 ? 'request waits' : 'requests wait'}`}
      </p>
    </section>
  );
}
