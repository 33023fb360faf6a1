/**
 * Loads what stands behind a door of the package whose packages are optional peers. Throws an `Error` that names all of them
 * that are missing at once, with the command that installs them.
 */
export async function loadDoor<Module>(
  door: string,
  packages: readonly string[],
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const found = await Promise.all(packages.map((name) => import(name).then(() => true, isThere)));
    const missing = packages.filter((_, index) => !found[index]);
    if (missing.length === 0) throw error;
    const what = missing.length === 1 ? 'a package that is' : 'packages that are';
    const message = `${door} needs ${what} not installed: npm install ${missing.join(' ')}`;
    // A command says it without a stack.
    throw Object.assign(new Error(message, { cause: error }), { isForUser: true });
  }
}

/** What fails for another reason than that it is not there says so itself when it is loaded. */
function isThere(error: unknown): boolean {
  return !(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND');
}
