/** Returns a list of possible values for messages and help, such as `a, b or c`. */
export function alternatives(texts: readonly string[]): string {
  return texts.length > 2 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : texts.join(' or ');
}
