/**
 * For a process with PGlite that lives for seconds: V8 translates PostgreSQL's code once and does not optimize it, which would
 * take three seconds of processor time and pay only much later.
 */
export const QUICK_WASM = ['--liftoff-only'];
