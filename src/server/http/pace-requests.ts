import type { RequestHandler } from 'express';

/**
 * Begins at most so many requests in one turn of the event loop, and the others in the next ones, in the order in which
 * they came.
 *
 * Node reads all sockets that are ready before it looks for what the requests on them wait for. Under load dozens of them
 * would be parsed first, and only then would Redis' reply to the first be read. All that was made for them outlives a
 * collection meanwhile; V8 takes what does so for long-lived, and makes such objects among the old ones from then on, where
 * they keep alive whatever they name. Begun by few, a request is answered before it is old.
 *
 * @param perTurn with fewer, a call of Redis has fewer charges. @default 8
 */
export function paceRequests(perTurn = 8): RequestHandler {
  let begun = 0;
  let isTicking = false;
  const waiting: (() => void)[] = [];

  function tick(): void {
    const next = waiting.splice(0, perTurn);
    begun = next.length;
    isTicking = begun > 0;
    if (isTicking) setImmediate(tick);
    // In one callback: a few that take the same steps side by side are faster than one after the other.
    for (const begin of next) begin();
  }

  return (_request, _response, next) => {
    if (!isTicking) {
      isTicking = true;
      setImmediate(tick);
    }
    if (begun < perTurn && waiting.length === 0) {
      begun++;
      next();
    } else waiting.push(next);
  };
}
