import type { Subject } from '../model/subject.js';
import type { BatchPlace } from '../protection/batch-place.js';

/** What resolvers of the API are given, besides what its own `context` gives them. */
export interface ApiContext {
  /** Who is asking. */
  subject: Subject;
  /** Aborted when the client leaves before its answer is out. */
  clientGone: AbortSignal;
  batchPlace?: BatchPlace;
  /** Set by the HTTP layer: whether the answer says what the request has paid. */
  payment?: { isPaid: boolean };
}
