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

/** Not a package that `name` itself misses: that one's own message says more. */
function isAbsent(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
