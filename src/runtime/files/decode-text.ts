/**
 * Decodes the bytes of a text file: UTF-8, with or without a byte order mark, or UTF-16 with one.
 * Some editors on Windows write this mark, and `>` in Windows PowerShell writes UTF-16.
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}
