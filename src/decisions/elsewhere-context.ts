import type { Subject } from '../model/subject.js';

/** Context value of operations that other servers execute. */
export interface ElsewhereContext {
  subject: Subject;
}
