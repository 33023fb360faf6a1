import { specifiedRules } from 'graphql';
import type { AdmittedRequest } from '../any-server/admitted-request.js';
import type { Protect } from '../any-server/protect.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import { FOR_APOLLO, inNoServer, misplaced } from '../runtime/packages/in-no-server.js';
import { type Admission, HttpOperations } from './http-operations.js';
import { UnseenOperations } from './unseen-operations.js';
import type { ExecutionArgs, Instrument, Validate, YogaParams, YogaPlugin } from './yoga-plugin.js';
import { isSameErrorResult, setHttpOfBatch, type YogaResult } from './yoga-result.js';

/**
 * Protects GraphQL Yoga, and servers built on it: `createYoga({ schema, plugins:
 * [useTollgate(tollgate)] })`. List it after plugins that change the request, such as persisted
 * operations. `identify` receives Yoga's initial context, with `request` and Node's `req`, but
 * without the members that your `context` adds. Operations without their own HTTP request, such as
 * those over WebSockets, are charged when their execution begins. For these, `identify` receives
 * the context of the execution.
 */
export function useTollgate<Context extends object>(tollgate: { readonly protect: Protect<Context> }): YogaPlugin {
  if (typeof tollgate?.protect !== 'function') {
    throw new TypeError('useTollgate: expected the object that createTollgate resolves to: await createTollgate first');
  }
  const overHttp = new HttpOperations<Context>((request) => tollgate.protect(request));
  const unseen = new UnseenOperations<Context>((request) => tollgate.protect(request));
  const rejectApollo = misplaced('useTollgate(tollgate), which is for GraphQL Yoga', FOR_APOLLO);
  const plugin: YogaPlugin = Object.assign(hooksOf(overHttp, unseen), {
    serverWillStart: async () => rejectApollo(),
    onPluginInit({ plugins }: { plugins: (object | false | null | undefined)[] }) {
      if (plugins.filter((each) => each && protectOf.get(each) === tollgate.protect).length >= 2) {
        throw new TypeError(
          'plugins: expected useTollgate(tollgate) once, got it twice: each operation would be charged twice',
        );
      }
      plugins.push(keeperOf(overHttp));
    },
  });
  protectOf.set(plugin, tollgate.protect as Protect<never>);
  return plugin;
}

function hooksOf<Context extends object>(
  overHttp: HttpOperations<Context>,
  unseen: UnseenOperations<Context>,
): YogaPlugin {
  const endWhereItFails = endAtFailures(
    (context) => overHttp.admissionOf(context)?.request ?? unseen.admitted(context),
  );
  return {
    instrumentation: { operation: endWhereItFails, execute: endWhereItFails, subscribe: endWhereItFails },
    onParams: (payload) => overHttp.admit(payload),
    onParse({ params: { source }, context, setParsedDocument }) {
      if (typeof source !== 'string') return undefined;
      const admission = overHttp.admissionOf(context);
      if (!admission) return unseen.onParse(source, context);
      if (source === admission.params.query) setParsedDocument(admission.request.document);
      return undefined;
    },
    onValidate({ context, validateFn, setValidationFn }) {
      const admission = overHttp.admissionOf(context);
      if (admission) {
        setValidationFn(withoutRulesOf(admission, validateFn));
        return undefined;
      }
      return ({ valid }) => {
        if (!valid) unseen.chargeFee(context);
      };
    },
    onExecute(payload) {
      const { args } = payload;
      const admission = overHttp.take(args);
      if (!admission) return unseen.execute(payload);
      if (!isSameOperation(args, admission)) return overHttp.priceAgain(admission, payload);
      args.document = admission.request.start(args.contextValue, args.fieldResolver, args.schema);
      return undefined;
    },
    onSubscribe(payload) {
      const admission = overHttp.take(payload.args);
      if (!admission) return unseen.subscribe(payload);
      payload.args.document = admission.request.start(payload.args.contextValue, payload.args.fieldResolver);
      return undefined;
    },
    onExecutionResult: (payload) => overHttp.settle(payload),
    onResultProcess({ request, result, setResult, serverContext = {} }) {
      if (result === undefined) return undefined;
      const isBatch = Array.isArray(result);
      const results: readonly YogaResult[] = isBatch ? result : [result];
      if ((overHttp.progressOf(request)?.answered ?? 0) >= results.length) {
        if (isBatch) setHttpOfBatch(result);
        return undefined;
      }
      return overHttp.settleTheRest(request, results, serverContext).then((paid) => {
        if (isBatch) setHttpOfBatch(paid);
        setResult(isBatch ? paid : paid[0]!);
      });
    },
  };
}

/**
 * Returns a validation that does not apply the rules of the specification again to a document that
 * Tollgate has validated. Plugins may have added other rules, which it applies.
 */
function withoutRulesOf({ request }: Admission, validate: Validate): Validate {
  return (schema, document, rules = specifiedRules, ...rest) => {
    if (schema !== request.schema || document !== request.document) return validate(schema, document, rules, ...rest);
    const others = rules.filter((rule) => !specifiedRules.includes(rule));
    return others.length === 0 ? [] : validate(schema, document, others, ...rest);
  };
}

/**
 * Returns a plugin that must be the last of the server. It restores a rejection or denial that
 * another plugin, such as a response cache, has replaced with another result.
 */
function keeperOf<Context extends object>(overHttp: HttpOperations<Context>) {
  const keeper: Pick<YogaPlugin, 'onResultProcess'> & {
    onExecutionResult(payload: Omit<Parameters<YogaPlugin['onExecutionResult']>[0], 'request'>): void;
  } = {
    onExecutionResult({ result, setResult, context }) {
      const errorResult = overHttp.errorResultOf(context);
      if (errorResult && !isSameErrorResult(result, errorResult)) setResult(errorResult);
    },
    onResultProcess({ request, result, setResult }) {
      const errorResult = overHttp.progressOf(request)?.errorResult;
      if (errorResult && !Array.isArray(result) && !isSameErrorResult(result as YogaResult, errorResult))
        setResult(errorResult);
      return undefined;
    },
  };
  return keeper;
}

/**
 * Ends the operation of a context if a hook or the execution fails, because Yoga then skips the
 * hooks that would settle the operation.
 */
function endAtFailures(requestOf: (context: object) => AdmittedRequest | undefined): Instrument {
  return ({ context }, wrapped) => {
    const end = (error: unknown): never => {
      requestOf(context)?.abandon();
      throw error;
    };
    try {
      return wrapped()?.then(undefined, end);
    } catch (error) {
      return end(error);
    }
  };
}

/** `protect` of the Tollgate instance, by plugin. */
const protectOf = createObjectNotes<object, Protect<never>>();

Object.assign(useTollgate, inNoServer('useTollgate, which is not called: add (tollgate)'));

/**
 * Returns whether the operation to execute is the one that was priced. It may not be, because a
 * plugin after Tollgate may have changed it.
 */
function isSameOperation({ contextValue }: ExecutionArgs, { params: priced }: Admission): boolean {
  const { params } = contextValue as { params?: YogaParams };
  if (params === undefined || params === priced) return true;
  const { query, operationName, variables } = params;
  return query === priced.query && operationName === priced.operationName && variables === priced.variables;
}
