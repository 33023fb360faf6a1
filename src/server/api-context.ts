import type { Subject } from '../model/subject.js';
import type { BatchPlace } from '../protection/batch-place.js';

/**
 * Members that the platform adds to the context of resolvers, in addition to those that the
 * function `context` of the API returns.
 */
export interface ApiContext {
  /** Identified caller. */
  subject: Subject;
  /** Signal that is aborted when the client disconnects before its response is sent. */
  clientGone: AbortSignal;
  batchPlace?: BatchPlace;
  /**
   * Whether the request has been charged and its response reports the charge. The HTTP layer
   * creates the object.
   */
  payment?: { isPaid: boolean };
}
