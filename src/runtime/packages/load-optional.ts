/**
 * Loads a package that only some users need. Throws a `TypeError` that says what wants it and how to install it, where it is
 * not there.
 *
 * @param wantedBy what the user asked for, as it begins the sentence: `redis: a URL`
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

/** Whether that is why it failed: its message then says all, and a stack nothing. */
export function namesMissingPackage(error: unknown): error is TypeError {
  return error instanceof TypeError && isNotFound(error.cause);
}

/** What is asked for, by the packages that it needs: `wantedBy` as for `loadOptional`. */
export interface WantedPackage {
  name: string;
  wantedBy: string;
  load(): Promise<unknown>;
}

/**
 * Loads packages that only some users need, so that those that are missing are named at once, and not one with each attempt.
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

/** Not a package that `name` itself misses: that one's own message says more. */
function isAbsent(error: unknown, name: string): boolean {
  return isNotFound(error) && error.message.includes(`'${name}'`);
}

/** That something which was imported is not there: Node says the one, code that a bundler made and Yarn's Plug'n'Play the other. */
export function isNotFound(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
}

/**
 * What an import of an optional package failed with, in the words of Node, whatever runs this. The import has to stand in a `try`: there a
 * bundler leaves one alone that it cannot find, which anywhere else ends it.
 */
export function notInstalled(name: string, error: unknown): unknown {
  if (!isNotFound(error)) return error;
  const isAboutIt = [`'${name}'`, `"${name}"`, `Required package: ${name} `].some((text) =>
    error.message.includes(text),
  );
  if (!isAboutIt) return error;
  return Object.assign(new Error(`Cannot find package '${name}'`, { cause: error }), { code: 'ERR_MODULE_NOT_FOUND' });
}
