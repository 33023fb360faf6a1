import type { Subject } from '../rules/types.js';

/** The address of callers of whom nothing is known: they share their counters, since nobody may be without limits. */
const UNIDENTIFIED = 'unidentified';

/** The subject, with something to count him by. */
export function countableSubject(subject: Subject): Subject {
  if (subject.user !== undefined || subject.apiKey !== undefined || subject.ip !== undefined) return subject;
  return { ...subject, ip: UNIDENTIFIED };
}
