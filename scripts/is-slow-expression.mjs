import { RegExpParser } from '@eslint-community/regexpp';
import { getConsumedChars, getFirstConsumedChar } from 'regexp-ast-analysis';
import { analyse } from 'scslre';

/** Returns whether an expression takes quadratic or exponential time on some text. */
export function isSlowExpression(source, flags) {
  return analyse({ source, flags }).reports.length > 0 || canBeginInRun(source, flags);
}

/**
 * Returns whether a match can begin inside an unbounded repetition of the same expression. The
 * package scslre does not check this case. Example: `a [^b]+b`, in a text of many `a ` and no `b`,
 * scans the rest of the text at each `a `.
 */
function canBeginInRun(source, flags) {
  const parser = new RegExpParser();
  const pattern = parser.parsePattern(source, 0, source.length, { unicode: flags.includes('u') });
  const parsedFlags = parser.parseFlags(flags);
  const isAnchored = ([first]) => first?.type === 'Assertion' && first.kind === 'start' && !parsedFlags.multiline;
  return pattern.alternatives.some((alternative) => {
    if (isAnchored(alternative.elements)) return false;
    const first = getFirstConsumedChar(alternative, 'ltr', parsedFlags).char;
    // If a character before the repetition cannot occur in it, the repetition ends where the
    // expression could begin again.
    const before = alternative.elements.slice(0, alternative.elements.findIndex(hasRun)).filter(isCharacter);
    const starts = [first, ...before.map((element) => getFirstConsumedChar(element, 'ltr', parsedFlags).char)];
    return runsOf(alternative).some((run) => {
      const { chars } = getConsumedChars(run.element, parsedFlags);
      return starts.every((start) => !chars.isDisjointWith(start));
    });
  });
}

/**
 * Returns the unbounded repetitions that are followed by a required element. A repetition at the
 * end of the expression cannot fail.
 */
function runsOf(alternative, isFollowed = false) {
  return alternative.elements.flatMap((element, at) => {
    const goesOn = isFollowed || alternative.elements.slice(at + 1).some(isNeeded);
    if (element.type === 'Quantifier') {
      if (element.max === Number.POSITIVE_INFINITY) return goesOn ? [element] : [];
      return 'alternatives' in element.element
        ? element.element.alternatives.flatMap((one) => runsOf(one, goesOn))
        : [];
    }
    return 'alternatives' in element ? element.alternatives.flatMap((one) => runsOf(one, goesOn)) : [];
  });
}

function hasRun(element) {
  return runsOf({ elements: [element] }, true).length > 0;
}

function isCharacter({ type }) {
  return type === 'Character' || type === 'CharacterClass' || type === 'CharacterSet';
}

function isNeeded(element) {
  return element.type !== 'Quantifier' || element.min > 0;
}
