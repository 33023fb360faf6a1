import { useQuota } from 'tollgate-client/react';
import { send } from './api.js';

/** Shows the remaining budget and the number of waiting requests. */
export function QuotaBar() {
  const quota = useQuota(send.pacer);
  const { available = 0, capacity = 1, waiting = 0 } = quota ?? {};
  return (
    <section aria-label="Your budget">
      <meter aria-label="Tokens left" value={available} max={capacity} low={capacity / 4} />
      <p role="status">
        {quota ? `${available} of ${capacity} tokens left` : 'No request has been sent yet'}
        {waiting > 0 && `, ${waiting} ${waiting === 1 ? 'request waits' : 'requests wait'}`}
      </p>
    </section>
  );
}
