import type { IdentifiedSubject } from '../model/identify.js';
import type { Subject } from '../model/rule.js';

/** The address of callers of whom nothing is known: they share their counters, since nobody may be without limits. */
const UNIDENTIFIED = 'unidentified';

/** The subject, with something to count him by. */
export function countableSubject(found: IdentifiedSubject): Subject {
  const subject = found as Subject; // Nobody asks whether a member is undefined or absent.
  if (subject.user !== undefined || subject.apiKey !== undefined || subject.ip !== undefined) return subject;
  return { ...subject, ip: UNIDENTIFIED };
}
