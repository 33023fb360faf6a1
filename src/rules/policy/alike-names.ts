/**
 * Cyrillic and Greek letters that look like Latin ones. Keys are in lower case, except where the
 * capital letter looks like another Latin letter.
 */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ё: 'e',
  һ: 'h',
  н: 'h',
  і: 'i',
  ї: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  ѕ: 's',
  т: 't',
  у: 'y',
  ү: 'y',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  Η: 'h',
  ι: 'i',
  κ: 'k',
  μ: 'm',
  ν: 'v',
  Ν: 'n',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'y',
  χ: 'x',
  ζ: 'z',
};

/**
 * Returns a name without differences that are easy to overlook. Names with the same result are
 * easily confused.
 */
export function nameAtAGlance(name: string): string {
  const plain = name.normalize('NFKC').trim().replace(/\s+/g, ' ');
  return [...plain]
    .map((letter) => LOOKS_LIKE[letter] ?? LOOKS_LIKE[letter.toLowerCase()] ?? letter.toLowerCase())
    .join('');
}

/** Returns the other names that are easily confused with this one. */
export function alikeNames(name: string, others: Iterable<string>): string[] {
  return createAlikeNames(others)(name);
}

/**
 * Returns a function that finds those of `names` that are easily confused with a given name, in
 * time that does not grow with the length of `names`.
 */
export function createAlikeNames(names: Iterable<string>): (name: string) => string[] {
  const byGlance = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const glance = nameAtAGlance(name);
    const alike = byGlance.get(glance);
    if (alike) alike.push(name);
    else byGlance.set(glance, [name]);
  }
  return (name) => (byGlance.get(nameAtAGlance(name)) ?? []).filter((other) => other !== name);
}

/**
 * Returns the warning about a name that is easily confused with others.
 * @param kind `rule`, `tier`
 */
export function alikeWarning(kind: string, name: string, others: readonly string[]): string {
  const named = others.map((other) => JSON.stringify(other)).join(', ');
  return `${kind} ${JSON.stringify(name)} differs from ${named} only in letter case or spaces, and is a separate ${kind}: choose a more distinct name to avoid confusion`;
}
