import { type CalendarDraft, calendarWords } from '../../parts/text/calendar-words.js';
import { whole } from '../../parts/text/format.js';
import { rulesText } from '../../text/rules-text.js';
import { tiersText } from '../../text/tiers-text.js';

/** Describes the budget of a tier: `10,000 tokens per month (UTC)`. */
export function budgetText(budget: CalendarDraft): string {
  const { amount } = budget;
  const shown = Number.isNaN(amount) ? rulesText.missing : whole(amount);
  return calendarWords(budget, tiersText.tokens(shown), '', rulesText.missing);
}
