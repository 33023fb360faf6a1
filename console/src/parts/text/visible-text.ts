/**
 * Returns the text to show for a name that others have chosen. It cannot imitate other content:
 * control characters and marks that change the direction of writing appear as code points. Long
 * text is truncated.
 */
export function visibleText(text: string, maxCharacters = 120): string {
  // Only the visible part is split into characters, because names may be thousands of characters
  // long.
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
