/**
 * Options of V8 for processes that live for seconds next to others. V8 compiles PostgreSQL's code
 * once and does not optimize it: that would take three seconds of processor time and pay off only
 * much later. V8 collects garbage in one thread, because on busy processors parallel threads wait
 * for each other.
 */
export const SHORT_LIVED = ['--liftoff-only', '--single-threaded-gc'];
