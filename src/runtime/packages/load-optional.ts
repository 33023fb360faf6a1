/**
 * Loads a package that only some users need. If the package is missing, throws a `TypeError`. The
 * message names the option that needs the package, and explains how to install it.
 * @param wantedBy option that needs the package, as the beginning of a sentence, such as `redis: a
 * URL`
 */
export async function loadOptional<Module>(
  name: string,
  wantedBy: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!isAbsent(error, name)) throw error;
    throw new TypeError(`${wantedBy} needs the package ${name}, which is not installed: npm install ${name}`, {
      cause: error,
    });
  }
}

/**
 * Returns whether an error reports a missing package. Such an error can be printed without its
 * stack trace.
 */
export function namesMissingPackage(error: unknown): error is TypeError {
  return error instanceof TypeError && isNotFound(error.cause);
}

/** Package that an option needs. For `wantedBy`, see `loadOptional`. */
export interface WantedPackage {
  name: string;
  wantedBy: string;
  load(): Promise<unknown>;
}

/** Loads packages that only some users need. One error reports all missing packages. */
export async function loadTogether(wanted: readonly WantedPackage[]): Promise<void> {
  const loaded = await Promise.allSettled(wanted.map(({ name, wantedBy, load }) => loadOptional(name, wantedBy, load)));
  const missing = wanted.filter((_, index) => {
    const outcome = loaded[index];
    return outcome?.status === 'rejected' && isAbsent((outcome.reason as Error).cause, wanted[index]!.name);
  });
  if (missing.length > 1) {
    const needs = missing.map(({ name, wantedBy }) => `${wantedBy} needs the package ${name}`).join(', ');
    const names = missing.map(({ name }) => name).join(' ');
    throw new TypeError(`${needs}: they are not installed: npm install ${names}`);
  }
  for (const outcome of loaded) if (outcome.status === 'rejected') throw outcome.reason;
}

/**
 * Returns whether the package itself is missing. If only a dependency of the package is missing,
 * the caller throws the original error, because it names the dependency.
 */
function isAbsent(error: unknown, name: string): boolean {
  return isNotFound(error) && error.message.includes(`'${name}'`);
}

/**
 * Returns whether an error reports that an imported module is missing. The code is
 * `ERR_MODULE_NOT_FOUND` in Node, and `MODULE_NOT_FOUND` in bundled code and with Yarn's
 * Plug'n'Play.
 */
export function isNotFound(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
}

/**
 * Converts the error of the import of an optional package to the error that Node throws. The import
 * must be in a `try` block. There, bundlers accept a module that they cannot find. Otherwise their
 * build would fail.
 */
export function notInstalled(name: string, error: unknown): unknown {
  if (!isNotFound(error)) return error;
  const isAboutIt = [`'${name}'`, `"${name}"`, `Required package: ${name} `].some((text) =>
    error.message.includes(text),
  );
  if (!isAboutIt) return error;
  return Object.assign(new Error(`Cannot find package '${name}'`, { cause: error }), { code: 'ERR_MODULE_NOT_FOUND' });
}
