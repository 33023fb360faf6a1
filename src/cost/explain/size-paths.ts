/**
 * Places in a value at which a number sizes a list, as names of input fields. The empty path is the
 * value itself.
 */
export type SizePaths = readonly (readonly string[])[];

export function pathsBelow(paths: SizePaths, name: string): SizePaths {
  return paths.length === 0 ? [] : paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
}

/** Returns whether a text is a number. A custom scalar may accept a size as text. */
export function isNumber(text: string): boolean {
  return /^\d{1,10}$/.test(text);
}
