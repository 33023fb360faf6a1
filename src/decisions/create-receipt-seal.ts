import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs receipts and verifies their signatures, so that no caller can forge one. It does not
 * encrypt them.
 */
export interface ReceiptSeal {
  seal(content: object): string;
  /** Returns the content of a receipt; undefined if no known key has signed it. */
  open(receipt: string): unknown;
}

/** Prefix that distinguishes receipts from other tokens, and names the version of their format. */
const PREFIX = 'tgr1.';
/** Number of bytes of a signature: 128 bits, so that a receipt fits into a header. */
const SIGNATURE_BYTES = 16;
/** Number of characters of a signature in base64url. */
const SIGNATURE_LETTERS = 22;
/** Maximum length of a receipt, in characters. Typical receipts have less than a thousand. */
export const MAX_RECEIPT_LETTERS = 16_384;

/**
 * Creates the seal of receipts.
 * @param keys returns the keys. The first one signs, and all of them verify
 */
export function createReceiptSeal(keys: () => readonly Buffer[]): ReceiptSeal {
  const signatureOf = (key: Buffer, body: string) =>
    createHmac('sha256', key).update(body).digest().subarray(0, SIGNATURE_BYTES);

  return {
    seal(content) {
      const body = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${PREFIX}${signatureOf(keys()[0]!, body).toString('base64url')}${body}`;
    },

    open(receipt) {
      if (!receipt.startsWith(PREFIX) || receipt.length > MAX_RECEIPT_LETTERS) return undefined;
      const body = receipt.slice(PREFIX.length + SIGNATURE_LETTERS);
      const given = Buffer.from(receipt.slice(PREFIX.length, PREFIX.length + SIGNATURE_LETTERS), 'base64url');
      if (given.length !== SIGNATURE_BYTES || body === '') return undefined;
      const isOwn = keys().some((key) => timingSafeEqual(signatureOf(key, body), given));
      return isOwn ? JSON.parse(Buffer.from(body, 'base64url').toString()) : undefined;
    },
  };
}
