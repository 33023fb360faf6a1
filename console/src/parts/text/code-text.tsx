/** Shows a text whose parts between backticks are code. */
export function CodeText({ text }: { text: string }) {
  return text.split('`').map((part, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places
    return at % 2 === 1 ? <code key={at}>{part}</code> : part;
  });
}
