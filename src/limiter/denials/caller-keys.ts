import { type ChargedCaller, isSameCaller, sharedByAll } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest } from '../charge/checked-request.js';
import { keysFor } from '../redis/keys-for.js';

/**
 * Creates one key for each combination of a caller and the charged limits. An edited limit counts
 * as a different limit.
 */
export class CallerKeys {
  readonly #names = new WeakMap<Limit, number>();
  readonly #sets = new WeakMap<CheckedRequest['limits'], string>();
  #nameCount = 0;
  /**
   * Latest key. One charge reads its key several times, and during a flood the same caller sends
   * request after request.
   */
  #latest: { limits: CheckedRequest['limits']; caller: ChargedCaller; key: string } | undefined;

  keyOf(request: CheckedRequest): string {
    const { subject, limits } = request;
    const latest = this.#latest;
    if (latest !== undefined && latest.limits === limits && isSameCaller(latest.caller, subject)) return latest.key;
    const { user, tenant, apiKey, ip } = subject;
    const key = this.#createKey(request);
    // A copy, because callers of the limiter may change the object that they passed.
    this.#latest = { limits, caller: { user, tenant, apiKey, ip }, key };
    return key;
  }

  #createKey({ subject, limits }: CheckedRequest): string {
    let set = this.#sets.get(limits);
    if (set === undefined) {
      set = limits.map((limit) => this.#nameOf(limit)).join();
      this.#sets.set(limits, set);
    }
    const partitionOf = keysFor(subject);
    let key = set;
    let before = '';
    for (const limit of limits) {
      if (sharedByAll(limit.scope) || limit.scope === before) continue;
      before = limit.scope;
      key += ` ${partitionOf(limit)}`;
    }
    return key;
  }

  #nameOf(limit: Limit): number {
    let name = this.#names.get(limit);
    if (name === undefined) {
      name = ++this.#nameCount;
      this.#names.set(limit, name);
    }
    return name;
  }
}
