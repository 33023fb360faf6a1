export interface MonthlyPrice {
  amountMinor: number;
  currency: string;
}

/** How many digits a currency has behind the point: 2 for USD, 0 for JPY; 2 where the browser knows no such currency. */
export function currencyDigits(currency: string): number {
  return formatOf(currency)?.resolvedOptions().maximumFractionDigits ?? 2;
}

/** In the unit that people speak of: dollars. */
export function major({ amountMinor, currency }: MonthlyPrice): number {
  return amountMinor / 10 ** currencyDigits(currency);
}

/** `$49 a month`. */
export function priceText(price: MonthlyPrice | null | undefined): string {
  if (!price) return 'not published';
  const amount = major(price);
  const text = formatOf(price.currency, Number.isInteger(amount))?.format(amount) ?? `${amount} ${price.currency}`;
  return `${text} a month`;
}

function formatOf(currency: string, isWhole = false): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      ...(isWhole && { trailingZeroDisplay: 'stripIfInteger' }),
    });
  } catch {
    return undefined; // Not three letters: the administration says so.
  }
}
