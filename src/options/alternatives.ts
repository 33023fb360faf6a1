/** `a, b or c`, as messages and help list what can be given. */
export function alternatives(texts: readonly string[]): string {
  return texts.length > 2 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : texts.join(' or ');
}
