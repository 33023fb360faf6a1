import type { PGlite } from '@electric-sql/pglite';

/** Exit status of the engine's main loop after an ordinary error of a statement. */
const ORDINARY_ERROR = 100;

/**
 * Functions of the engine's module that PGlite calls for every statement. The module is private to
 * PGlite.
 */
interface EngineModule {
  _PostgresMainLoopOnce(): void;
  stackRestore(pointer: number): void;
}

/**
 * Makes a PGlite stop after its engine has aborted: each later statement rejects without entering
 * the engine.
 *
 * PostgreSQL panics if it cannot write its log, for example on a full disk. PGlite swallows the
 * abort, and the engine keeps its locks. The next statement would wait for one of these locks in a
 * busy loop, and block the event loop forever.
 * @param folder name of the folder for the error message
 * @returns a function that returns the error of every later statement; undefined while the engine
 * runs
 */
export function stopAfterAbort(pglite: PGlite, folder: string): () => Error | undefined {
  const engine = (pglite as unknown as { mod: EngineModule }).mod;
  const runOnce = engine._PostgresMainLoopOnce;
  const restoreStack = engine.stackRestore;
  const runStatement = pglite.execProtocolStream.bind(pglite);
  let abort: { cause: unknown } | undefined;
  let isEnteredAgain = false;
  let stopped: Error | undefined;

  engine._PostgresMainLoopOnce = () => {
    if (abort) {
      isEnteredAgain = true;
      throw abort.cause;
    }
    try {
      runOnce();
    } catch (cause) {
      if ((cause as { status?: unknown } | undefined)?.status !== ORDINARY_ERROR) abort = { cause };
      throw cause;
    }
  };
  // PGlite swallows all errors of `_PostgresMainLoopOnce`, and calls it again until the message is
  // read. Between these calls it calls `stackRestore`. An error of `stackRestore` ends the loop.
  engine.stackRestore = (pointer) => {
    if (isEnteredAgain) throw abort!.cause;
    restoreStack(pointer);
  };
  pglite.execProtocolStream = async (...args) => {
    if (stopped) throw stopped;
    const result = await runStatement(...args).then(
      (messages) => ({ messages }),
      (error: unknown) => ({ error }),
    );
    if (abort) {
      stopped = stopError(folder, 'error' in result ? result.error : abort.cause);
      throw stopped;
    }
    if ('error' in result) throw result.error;
    return result.messages;
  };
  return () => stopped;
}

function stopError(folder: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const fix = 'Free space on its disk if it is full, then restart this process: until then no data is stored';
  // The SQLSTATE of a server that has crashed, so that all code that uses the database treats the
  // error as an outage.
  return Object.assign(new Error(`The embedded database in ${folder} has stopped: ${reason}. ${fix}`, { cause }), {
    code: '57P02',
  });
}
