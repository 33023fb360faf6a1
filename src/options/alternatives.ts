/** Returns `a, b or c`: the list of possible values in messages and help. */
export function alternatives(texts: readonly string[]): string {
  return texts.length > 2 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : texts.join(' or ');
}
