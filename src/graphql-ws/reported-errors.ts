import { type ExecutionResult, GraphQLError } from 'graphql';

export type Reported = readonly GraphQLError[];

/** Error that stands for the errors of a subscription that was not admitted. */
class SubscriptionErrors extends Error {
  readonly errors: Reported;

  constructor(errors: Reported) {
    super(errors[0]?.message ?? 'The subscription was not admitted');
    this.errors = errors;
  }
}

export function reportedErrors(errors: Reported): Error {
  return new SubscriptionErrors(errors);
}

/**
 * Returns events that fail at once. graphql-ws then sends an `error` message for the subscription.
 * For a result with errors, it would send `next` and `complete`.
 */
export function throwing(error: Error): AsyncIterableIterator<ExecutionResult, undefined> {
  return {
    next: () => Promise.reject(error),
    return: async () => ({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * Returns the errors to send. graphql-ws wraps each thrown error in another one, without its
 * extensions in graphql 17.
 */
export function shownErrors(errors: Reported): Reported {
  return errors.flatMap((error) => {
    const thrown = error.originalError ?? (error.cause as unknown);
    if (thrown instanceof SubscriptionErrors) return thrown.errors;
    return thrown instanceof GraphQLError ? [thrown] : [error];
  });
}
