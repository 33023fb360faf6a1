/**
 * What others have named themselves, as text that cannot pose as something else: marks that turn the direction of writing
 * and control characters are shown as their code points, and what is longer than a reader takes in is cut off.
 */
export function visibleText(text: string, maxCharacters = 120): string {
  // Taken apart only as far as it is shown: names may be thousands of characters long.
  const characters = [...text.slice(0, maxCharacters * 2 + 2)];
  const shown = characters.slice(0, maxCharacters).map((one) => (isHidden(one) ? codePoint(one) : one));
  return characters.length > maxCharacters ? `${shown.join('')}…` : shown.join('');
}

function isHidden(character: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u.test(character);
}

function codePoint(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
