/** Formats that the gateway accepts for a response, in addition to a single JSON document. */
interface PartsAccepted {
  /** Whether `multipart/mixed` is accepted: the operation has `@defer` or `@stream`. */
  multipart: boolean;
  /** Whether `text/event-stream` is accepted. */
  events: boolean;
}

const NO_PARTS: PartsAccepted = { multipart: false, events: false };
const JSON_TYPES = new Set(['application/graphql-response+json', 'application/json']);
/** Forwarded parameters: the weight `q`, and those that select a draft of incremental delivery. */
const PARAMETER = /^(q|deferspec|incrementalspec)=("?)[\w.-]{1,32}\2$/i;
const MAX_RANGES = 8;

/**
 * Returns the `Accept` header for the upstream: the types that the caller accepts and that this
 * gateway can count, in the caller's order. If none of them is for a response in parts, a
 * fixed header for JSON is returned. The header is built again, so that no other part of the
 * caller's header reaches the upstream.
 */
export function acceptForUpstream(accept: string | undefined, { multipart, events }: PartsAccepted = NO_PARTS): string {
  const ranges: string[] = [];
  let takesParts = false;
  for (const range of accept?.split(',', 4 * MAX_RANGES) ?? []) {
    const [type = '', ...parameters] = range.split(';').map((text) => text.trim());
    const name = type.toLowerCase();
    const isOfParts = (multipart && name === 'multipart/mixed') || (events && name === 'text/event-stream');
    if (ranges.length === MAX_RANGES || !(isOfParts || JSON_TYPES.has(name))) continue;
    takesParts ||= isOfParts;
    ranges.push([name, ...parameters.filter((parameter) => PARAMETER.test(parameter))].join(';'));
  }
  if (!takesParts) return accept?.includes('application/graphql-response+json') ? ANSWERS : 'application/json';
  if (!ranges.some((range) => range.startsWith('application/json'))) ranges.push('application/json;q=0.1');
  return ranges.join(', ');
}

const ANSWERS = 'application/graphql-response+json, application/json;q=0.9';
