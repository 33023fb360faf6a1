/**
 * Loads a package that only some users need. If the package is missing, it throws a `TypeError`
 * that names what needs it and how to install it.
 * @param wantedBy option that needs the package, as the beginning of the sentence: `redis: a URL`
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
 * Returns whether an error reports a missing package. Its message is sufficient, and its stack adds
 * nothing.
 */
export function namesMissingPackage(error: unknown): error is TypeError {
  return error instanceof TypeError && isNotFound(error.cause);
}

/** Package that an option needs, with `wantedBy` as for `loadOptional`. */
export interface WantedPackage {
  name: string;
  wantedBy: string;
  load(): Promise<unknown>;
}

/**
 * Loads packages that only some users need. It reports all missing ones together, and not one per
 * attempt.
 */
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
 * Returns whether the package itself is missing. If a dependency of the package is missing, the
 * original message is more precise.
 */
function isAbsent(error: unknown, name: string): boolean {
  return isNotFound(error) && error.message.includes(`'${name}'`);
}

/**
 * Returns whether an imported module is missing. Node uses one code, and bundled code and Yarn's
 * Plug'n'Play the other.
 */
export function isNotFound(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
}

/**
 * Converts the error of an import of an optional package to the form that Node throws, in every
 * runtime. The import must be inside a `try`. There a bundler accepts a module that it cannot find;
 * elsewhere its build fails.
 */
export function notInstalled(name: string, error: unknown): unknown {
  if (!isNotFound(error)) return error;
  const isAboutIt = [`'${name}'`, `"${name}"`, `Required package: ${name} `].some((text) =>
    error.message.includes(text),
  );
  if (!isAboutIt) return error;
  return Object.assign(new Error(`Cannot find package '${name}'`, { cause: error }), { code: 'ERR_MODULE_NOT_FOUND' });
}
