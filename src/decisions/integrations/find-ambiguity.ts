import type { IncomingMessage } from 'node:http';
import { findRepeatedMember } from './find-repeated-member.js';

/** Members of a request. GraphQL over HTTP reserves all other names. */
const MEMBERS = ['query', 'operationName', 'variables', 'extensions'];
const FOLDED: ReadonlyMap<string, string> = new Map(MEMBERS.map((member) => [fold(member), member]));

/**
 * Returns the reason why the API behind a proxy could run another operation than the one that
 * Tollgate prices; undefined if there is none. Some servers prefer the query string of a POST
 * request to its body. Others ignore the case of names, or use the first of several members or
 * parameters with one name.
 * @param sent members that Tollgate prices
 * @param text body that contains them
 */
export function findAmbiguity(
  { method, headers }: IncomingMessage,
  url: string,
  { sent, text }: { sent: Readonly<Record<string, unknown>>; text: string },
): string | undefined {
  const unknown = method === 'GET' ? undefined : Object.keys(sent).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    return `unknown member ${JSON.stringify(unknown.slice(0, 50))}, expected ${MEMBERS.join(', ')}`;
  const repeated = findRepeatedMember(text);
  if (repeated !== undefined) return repetitionOf(repeated);
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  if (method === 'GET' && hasBody) return 'expected a GET request without a body';
  const at = url.indexOf('?');
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(at < 0 ? '' : url.slice(at))) {
    const member = FOLDED.get(fold(name));
    if (member === undefined) continue;
    // Some clients repeat the name of the operation in the URL, for logs.
    const isRepetition = member === 'operationName' && value === sent[member];
    if (method !== 'GET' && !isRepetition) return `${member}: expected it in the body only, got it in the URL`;
    if (name !== member || seen.has(member)) return `${member}: expected one parameter of exactly this name`;
    seen.add(member);
    // `variables` and `extensions` are texts if they are not JSON.
    const isJson = typeof sent[member] === 'object';
    const twice = isJson ? findRepeatedMember(value) : undefined;
    if (twice !== undefined) return `${member}: ${repetitionOf(twice)}`;
  }
  return undefined;
}

function repetitionOf(name: string): string {
  return `expected the member ${JSON.stringify(name.slice(0, 50))} once, got it twice in one object`;
}

/**
 * Returns the form of a name in which tolerant servers compare it: without case, surrounding
 * spaces, and an index as in `variables[first]`. Upper case first: it maps `ſ` to `S`.
 */
function fold(name: string): string {
  return (name.trim().split(/[[.]/, 1)[0] ?? '').toUpperCase().toLowerCase();
}
