import type { Rule, RuleMatch } from '../../model/rule.js';
import { CREDENTIAL_KINDS, type CredentialKind, credentialKindOf, type Subject } from '../../model/subject.js';

/**
 * Set of classes of callers, one bit per class. A class consists of a kind of credential, and of
 * whether the caller is an agent. Because there are few classes, the rules of an operation are bound
 * once per class, not once per request.
 */
export type CallerClasses = number;

const KINDS = CREDENTIAL_KINDS.length;
export const ALL_CLASSES: CallerClasses = 2 ** (2 * KINDS) - 1;
/** The bits of agents come after those of other callers. */
const AGENTS: CallerClasses = ALL_CLASSES - (2 ** KINDS - 1);

/** The properties of a request that determine the class of its caller. */
interface ClassifiedRequest {
  subject: Pick<Subject, 'user' | 'tenant' | 'apiKey' | 'keyKind'>;
  isAgentClient?: boolean | undefined;
}

/** Returns the class of a caller: the number of its bit in `CallerClasses`. */
export function classOf(request: ClassifiedRequest): number {
  return CREDENTIAL_KINDS.indexOf(credentialKindOf(request.subject)) + (isAgent(request) ? KINDS : 0);
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

/** Returns the classes that `callers`, `credentials` and `agents` of a rule admit. */
export function classesOf({ callers, credentials, agents }: RuleMatch): CallerClasses {
  return ofCallers(callers) & ofCredentials(credentials) & (agents ? AGENTS : ALL_CLASSES);
}

type RuleConditions = Pick<Rule, 'match' | 'scope'>;

/** Returns the classes of the callers who can meet all conditions of a rule, including its scope. */
export function reachOf(rule: RuleConditions): CallerClasses {
  return conditionsOf(rule).reduce((reach, [, classes]) => reach & classes, ALL_CLASSES);
}

/** Returns two conditions of a rule that no caller can meet together. Undefined if there are none. */
export function findContradiction(rule: RuleConditions): [string, string] | undefined {
  // It suffices to compare pairs. `match.agents` contradicts no other condition. Of all others
  // except `match.credentials`, any two are disjoint, or one includes the other.
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
    ['match.keys', match.keys ? bitOf('KEY') : ALL_CLASSES],
    [`scope ${scope}`, ofScope(scope)],
    ['match.agents', match.agents ? AGENTS : ALL_CLASSES],
  ];
}

function ofCallers(kind: RuleMatch['callers']): CallerClasses {
  if (kind === undefined) return ALL_CLASSES;
  return kind === 'ANONYMOUS' ? ANONYMOUS : IDENTIFIED;
}

function ofCredentials(kinds: RuleMatch['credentials']): CallerClasses {
  if (!kinds?.length) return ALL_CLASSES;
  return kinds.reduce((classes, kind) => classes | bitOf(kind), 0);
}

/** Returns the classes whose callers have the name by which the scope counts. */
function ofScope(scope: Rule['scope']): CallerClasses {
  if (scope === 'API_KEY') return bitOf('KEY');
  return scope === 'TENANT' ? IDENTIFIED : ALL_CLASSES;
}

function bitOf(kind: CredentialKind): CallerClasses {
  const bit = CREDENTIAL_KINDS.indexOf(kind);
  return (1 << bit) | (1 << (bit + KINDS));
}

const ANONYMOUS = bitOf('NONE');
const IDENTIFIED = bitOf('KEY') | bitOf('TOKEN');
