/**
 * Returns the name of a member that an object of a JSON text has twice; undefined if there is none.
 * Parsers differ: some use the first of such members, and others the last.
 * @param json valid JSON
 */
export function findRepeatedMember(json: string): string | undefined {
  /** Names of the members so far, of each open object. A list has none. */
  const open: (Set<string> | undefined)[] = [];
  let text = '';
  for (let at = 0; at < json.length; at++) {
    const letter = json[at];
    if (letter === '"') {
      const end = endOfText(json, at);
      text = json.slice(at, end);
      at = end - 1;
    } else if (letter === ':') {
      const name: string = JSON.parse(text);
      open[open.length - 1] ??= new Set();
      const names = open.at(-1)!;
      if (names.has(name)) return name;
      names.add(name);
    } else if (letter === '{' || letter === '[') open.push(undefined);
    else if (letter === '}' || letter === ']') open.pop();
  }
  return undefined;
}

/** Returns the index after the quotation mark that ends a string. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}
