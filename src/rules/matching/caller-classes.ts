import type { Rule, RuleMatch } from '../../model/rule.js';
import { CREDENTIAL_KINDS, type CredentialKind, credentialKindOf, type Subject } from '../../model/subject.js';

/**
 * Set of classes of requests, one bit per class. A class consists of a kind of credential, of
 * whether the caller is an agent, and of whether the document is registered. Because there are few
 * classes, the rules of an operation are bound once per class, not once per request.
 */
export type CallerClasses = number;

const KINDS = CREDENTIAL_KINDS.length;

interface RequestClass {
  readonly credential: CredentialKind;
  readonly isAgent: boolean;
  readonly isRegistered: boolean;
}

/** All classes, in the order of their bits. `classOf` computes the position of a class. */
const CLASSES: readonly RequestClass[] = [false, true].flatMap((isRegistered) =>
  [false, true].flatMap((isAgent) => CREDENTIAL_KINDS.map((credential) => ({ credential, isAgent, isRegistered }))),
);
export const ALL_CLASSES: CallerClasses = where(() => true);
const AGENTS = where(({ isAgent }) => isAgent);
const REGISTERED = where(({ isRegistered }) => isRegistered);
const ANONYMOUS = where(({ credential }) => credential === 'NONE');
const IDENTIFIED = ALL_CLASSES & ~ANONYMOUS;
const WITH_KEY = where(({ credential }) => credential === 'KEY');

function where(isIncluded: (one: RequestClass) => boolean): CallerClasses {
  return CLASSES.reduce((classes, one, bit) => (isIncluded(one) ? classes | (1 << bit) : classes), 0);
}

/** The properties of a request that determine its class. */
interface ClassifiedRequest {
  subject: Pick<Subject, 'user' | 'tenant' | 'apiKey' | 'keyKind'>;
  isAgentClient?: boolean | undefined;
  document?: object | undefined;
}

/** Returns the class of a request: the number of its bit in `CallerClasses`. */
export function classOf(request: ClassifiedRequest): number {
  const place = CREDENTIAL_KINDS.indexOf(credentialKindOf(request.subject)) + (isAgent(request) ? KINDS : 0);
  return request.document === undefined ? place : place + 2 * KINDS;
}

/** Returns whether a caller is an agent, by the kind of its key or by the name of its client. */
export function isAgent({
  subject,
  isAgentClient = false,
}: Pick<ClassifiedRequest, 'isAgentClient'> & { subject: Pick<Subject, 'keyKind'> }): boolean {
  return isAgentClient || subject.keyKind === 'AGENT';
}

export function hasClass(classes: CallerClasses, one: number): boolean {
  return ((classes >> one) & 1) === 1;
}

/** Returns the classes that the conditions of a rule on callers and documents admit, names excepted. */
export function classesOf({ callers, credentials, agents, document }: RuleMatch): CallerClasses {
  return ofCallers(callers) & ofCredentials(credentials) & (agents ? AGENTS : ALL_CLASSES) & ofDocument(document);
}

type RuleConditions = Pick<Rule, 'match' | 'scope'>;

/** Returns the classes of the requests that can meet all conditions of a rule, including its scope. */
export function reachOf(rule: RuleConditions): CallerClasses {
  return conditionsOf(rule).reduce((reach, [, classes]) => reach & classes, ALL_CLASSES);
}

/** Returns two conditions of a rule that no request can meet together. Undefined if there are none. */
export function findContradiction(rule: RuleConditions): [string, string] | undefined {
  // It suffices to compare pairs. `match.agents` contradicts no other condition, and conditions on
  // documents contradict only each other. Of all others except `match.credentials`, any two are
  // disjoint, or one includes the other.
  const conditions = conditionsOf(rule);
  for (const [index, [name, classes]] of conditions.entries()) {
    const other = conditions.slice(index + 1).find(([, others]) => (classes & others) === 0);
    if (other) return [name, other[0]];
  }
  return undefined;
}

function conditionsOf({ match, scope }: RuleConditions): [name: string, CallerClasses][] {
  return [
    [`match.callers ${match.callers}`, ofCallers(match.callers)],
    [`match.credentials ${match.credentials?.join(', ')}`, ofCredentials(match.credentials)],
    ['match.users', match.users ? IDENTIFIED : ALL_CLASSES],
    ['match.tenants', match.tenants ? IDENTIFIED : ALL_CLASSES],
    ['match.keys', match.keys ? WITH_KEY : ALL_CLASSES],
    [`scope ${scope}`, ofScope(scope)],
    ['match.agents', match.agents ? AGENTS : ALL_CLASSES],
    [`match.document ${match.document}`, ofDocument(match.document)],
    ['match.apps', match.apps ? REGISTERED : ALL_CLASSES],
    ['match.appVersions', match.appVersions ? REGISTERED : ALL_CLASSES],
  ];
}

function ofCallers(kind: RuleMatch['callers']): CallerClasses {
  if (kind === undefined) return ALL_CLASSES;
  return kind === 'ANONYMOUS' ? ANONYMOUS : IDENTIFIED;
}

function ofCredentials(kinds: RuleMatch['credentials']): CallerClasses {
  if (!kinds?.length) return ALL_CLASSES;
  return where(({ credential }) => kinds.includes(credential));
}

function ofDocument(kind: RuleMatch['document']): CallerClasses {
  if (kind === undefined) return ALL_CLASSES;
  return kind === 'REGISTERED' ? REGISTERED : ALL_CLASSES & ~REGISTERED;
}

/** Returns the classes whose callers have the name by which the scope counts. */
function ofScope(scope: Rule['scope']): CallerClasses {
  if (scope === 'API_KEY') return WITH_KEY;
  return scope === 'TENANT' ? IDENTIFIED : ALL_CLASSES;
}
