import type { Logger } from '../model/logger.js';
import type { Subject } from '../model/subject.js';
import { guardCallback } from '../observability/guard-callback.js';
import { reportSometimes } from '../observability/report-sometimes.js';
import { isPromise } from '../runtime/is-promise.js';
import type { TollgateOptions } from './tollgate-options.js';

/** Returns the callbacks of the options whose failures must not reach a request. */
export function guardedCallbacks<Context extends object>(
  { batchPlace, mayReportCost, abortSignal }: TollgateOptions<Context>,
  logger: Logger,
) {
  return {
    ...(batchPlace && { batchPlace: guardCallback('batchPlace', batchPlace, logger) }),
    ...(mayReportCost && { mayReportCost: asMayReport(mayReportCost, logger) }),
    ...(abortSignal && { abortSignal: guardCallback('abortSignal', abortSignal, logger) }),
  };
}

/**
 * Guards `mayReportCost`. If it fails, no request is rejected and no caller gets a report: the
 * response is sent as if the request had no `GraphQL-Cost: report` header. A promise counts as a
 * failure, because every promise is truthy.
 */
function asMayReport(mayReportCost: (subject: Subject) => unknown, logger: Logger): (subject: Subject) => boolean {
  const onFailed = reportSometimes((error) =>
    logger.error({ err: error }, 'Responses have no cost report, because mayReportCost failed'),
  );
  return (subject) => {
    try {
      const answer = mayReportCost(subject);
      if (!isPromise(answer)) return Boolean(answer);
      answer.then(undefined, () => {});
      throw new TypeError('mayReportCost: expected true or false, got a Promise');
    } catch (error) {
      onFailed(error);
      return false;
    }
  };
}
