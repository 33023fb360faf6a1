import type { Subject } from '../model/subject.js';
import type { BatchPlace } from '../protection/batch-place.js';

/**
 * Members of the context that resolvers of the API receive, in addition to those of its own
 * `context`.
 */
export interface ApiContext {
  /** Identified caller. */
  subject: Subject;
  /** Signal that is aborted when the client disconnects before its answer is sent. */
  clientGone: AbortSignal;
  batchPlace?: BatchPlace;
  /** Whether the answer reports the charge of the request. The HTTP layer sets the object. */
  payment?: { isPaid: boolean };
}
