import { tiersText } from '../../text/tiers-text.js';

export interface MonthlyPrice {
  amountMinor: number;
  currency: string;
}

/**
 * Returns the number of decimal digits of a currency: 2 for USD, 0 for JPY. It is 2 if the browser
 * does not know the currency.
 */
export function currencyDigits(currency: string): number {
  return formatOf(currency)?.resolvedOptions().maximumFractionDigits ?? 2;
}

/** Returns the amount in the main unit of the currency, such as dollars. */
export function major({ amountMinor, currency }: MonthlyPrice): number {
  return amountMinor / 10 ** currencyDigits(currency);
}

/** Formats a price: `$49 per month`. */
export function priceText(price: MonthlyPrice | null | undefined): string {
  if (!price) return tiersText.price.notSet;
  const amount = major(price);
  const text =
    formatOf(price.currency, Number.isInteger(amount))?.format(amount) ?? tiersText.price.plain(amount, price.currency);
  return tiersText.price.perMonth(text);
}

function formatOf(currency: string, isWhole = false): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      ...(isWhole && { trailingZeroDisplay: 'stripIfInteger' }),
    });
  } catch {
    return undefined; // Not three letters: the admin API reports the error.
  }
}
