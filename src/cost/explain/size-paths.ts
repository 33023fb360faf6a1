/**
 * Paths in a value to numbers that size a list. A path is a list of names of input fields. The
 * empty path leads to the value itself.
 */
export type SizePaths = readonly (readonly string[])[];

/** Returns the paths that begin with the input field `name`, without that name. */
export function pathsBelow(paths: SizePaths, name: string): SizePaths {
  return paths.length === 0 ? [] : paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
}

/**
 * Returns whether a string is a whole number of at most ten digits. A custom scalar may accept a
 * size as a string.
 */
export function isNumber(text: string): boolean {
  return /^\d{1,10}$/.test(text);
}
