import type { RuleCreateInput } from '../../../generated/graphql.js';
import { percent } from '../../../parts/text/format.js';
import { visibleText } from '../../../parts/text/visible-text.js';
import { rulesText } from '../../../text/rules-text.js';
import { fieldsOf } from '../draft-of-rule.js';
import { limitWords } from '../limit-text.js';
import { documentWords, matchWords } from '../match-words.js';
import { timesText } from '../times-text.js';

const { sentence: text, units, missing } = rulesText;

/** Describes the effect of a draft in one sentence, and the callers that it applies to. */
export function ruleSentence(draft: RuleCreateInput): string {
  const fields = fieldsOf(draft).map((field) => visibleText(field));
  const field = fields.length === 0 ? missing : fields.join(text.or);
  const effect =
    draft.limits.length === 0 || draft.action?.type === 'EXEMPT' ? text.exempt(field) : limitSentence(draft, field);
  const conditions = matchWords(draft.match);
  const only = conditions.length > 0 ? [text.only(conditions.join('; '))] : [];
  const documents = documentWords(draft.match);
  if (documents.length > 0) only.push(text.onlyDocuments(documents.join('; ')));
  const times = timesText(draft);
  const when = times === undefined ? [] : [rulesText.times.sentence(times)];
  return [effect, ...callersOf(draft), ...only, ...when].join(' ');
}

function limitSentence({ measure = 'COST', scope, limits, mode, action }: RuleCreateInput, field: string): string {
  // A concurrency limit allows calls at the same time, so "three times" would be wrong.
  const isCall = measure === 'CALLS' && field !== '*' && limits.every(({ concurrency }) => !concurrency);
  const use = isCall
    ? text.call(field, limitWords(limits, { units: text.times, whose: '' }))
    : text.use(measure ?? 'COST', limitWords(limits, { units: units[measure ?? 'COST'], whose: '' }), field);
  return text.limit(scope, use, measure ?? 'COST', endOf(mode, action?.type));
}

function endOf(mode: RuleCreateInput['mode'], action: string | undefined): string {
  if (mode === 'OFF') return text.off;
  if (mode === 'SHADOW') return text.shadow;
  return action === 'THROTTLE' ? text.delayed : text.denied;
}

function callersOf({ match, ...draft }: RuleCreateInput): string[] {
  const addresses = (match?.addresses ?? []).map((address) => visibleText(address)).join(', ');
  return [...tiersOf({ match, ...draft }), ...(addresses === '' ? [] : [text.addresses(addresses)])];
}

function tiersOf({ match, rolloutPercent = 100 }: Pick<RuleCreateInput, 'match' | 'rolloutPercent'>): string[] {
  const tiers = (match?.tiers ?? []).map((tier) => visibleText(tier)).join(', ');
  const isPart = rolloutPercent !== null && rolloutPercent !== 100;
  const share = Number.isNaN(rolloutPercent) ? missing : percent((rolloutPercent ?? 100) / 100);
  if (isPart && tiers !== '') return [text.shareOfTiers(share, tiers)];
  if (isPart) return [text.share(share)];
  return tiers === '' ? [] : [text.tiers(tiers)];
}
