/** Where in a value a number sizes a list, as names of input fields; the empty path is the value itself. */
export type SizePaths = readonly (readonly string[])[];

export function pathsBelow(paths: SizePaths, name: string): SizePaths {
  return paths.length === 0 ? [] : paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
}

/** Whether a text is a number: a custom scalar may take a size as such. */
export function isNumber(text: string): boolean {
  return /^\d{1,10}$/.test(text);
}
