import type { Subject } from '../model/subject.js';

/** Members of the context value with which operations of other servers are decided. */
export interface ElsewhereContext {
  subject: Subject;
}
