/** Returns the different elements of a comma-separated text, without empty ones. */
export function elementsOf(text: string): string[] {
  const elements = text.split(',').map((one) => one.trim());
  return [...new Set(elements.filter((one) => one !== ''))];
}
