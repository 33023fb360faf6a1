/**
 * For processes that live for seconds beside others. V8 translates PostgreSQL's code once and does
 * not optimize it, which would take three seconds of processor time and pay only much later; and it
 * collects garbage in one thread: where all processors are busy, the others wait for each other.
 */
export const SHORT_LIVED = ['--liftoff-only', '--single-threaded-gc'];
