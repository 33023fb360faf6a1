import type { ExecutionResult } from 'graphql';
import { answerRejected } from '../any-server/answer-rejected.js';
import { hasHashAlone } from '../any-server/has-hash-alone.js';
import type { AdmittedRequest, Protect } from '../any-server/protect.js';
import { headersOf } from '../any-server/request-headers.js';
import { resultOfAnswer } from '../any-server/result-of-answer.js';
import { settledWhenOver } from '../any-server/settled-when-over.js';
import { requestError } from '../model/errors.js';
import type { Answer } from '../protection/answer/answer-of.js';
import { createObjectNotes } from '../runtime/attach-to-object.js';
import { FOR_APOLLO, inNoServer, misplaced } from '../runtime/packages/misplaced-plugin.js';
import type { BeforeExecution, Done, ExecutionArgs, Instrument, YogaParams, YogaPlugin } from './yoga-plugin.js';
import {
  extensionsOf,
  httpOf,
  isAnswered,
  isRefusal,
  isSameRefusal,
  resultOf,
  sayOfBatch,
  type YogaResult,
} from './yoga-result.js';

/** What `onParams` has let in: one operation, which begins once. */
interface Admission {
  request: AdmittedRequest;
  /** What it was priced by. */
  params: YogaParams;
  hasBegun: boolean;
  hasResult: boolean;
}

/** What has become of the operations of one HTTP request. */
interface Progress {
  /** How many Tollgate has answered: each has paid. */
  answered: number;
  /** The rejection or denial of a request that is no batch. */
  refusal?: ExecutionResult;
  readonly admissions: Admission[];
}

/**
 * Protects GraphQL Yoga, and what is built of it: `createYoga({ schema, plugins: [useTollgate(tollgate)] })`. Put it behind
 * plugins that change what is asked for, such as persisted operations. `identify` is asked with Yoga's context as it is before
 * your own `context` adds to it: with `request`, and with Node's `req`. What does not come over HTTP, such as operations over
 * WebSockets, is protected as its execution begins: `identify` is asked with the context of that.
 */
export function useTollgate<Context extends object>(tollgate: { readonly protect: Protect<Context> }): YogaPlugin {
  if (typeof tollgate?.protect !== 'function') {
    throw new TypeError('useTollgate: expected what createTollgate resolves to: await it');
  }
  const admitted = createObjectNotes<object, Admission>();
  /** Rejections and denials by the context of their operation. */
  const refusals = createObjectNotes<object, ExecutionResult>();
  /** Operations that came over no HTTP request, by the context of their execution. */
  const unseen = createObjectNotes<object, AdmittedRequest>();
  /** Of documents that came over no HTTP request: by its text a document is measured, and its plan is found again. */
  const texts = createObjectNotes<object, string>();
  const progressOf = createObjectNotes<Request, Progress>();

  /** Takes it once: what is executed later with the same context is another operation. */
  function takeAdmission({ contextValue }: ExecutionArgs): Admission | undefined {
    const admission = contextValue && admitted.get(contextValue);
    if (!admission || admission.hasBegun) return undefined;
    admission.hasBegun = true;
    return admission;
  }

  /** Ends the operation of a context where a hook or its execution fails: the hooks that would settle it are left out. */
  const endWhereItFails: Instrument = ({ context }, wrapped) => {
    const end = (error: unknown): never => {
      const admission = admitted.get(context);
      if (admission) admission.request.abandon();
      else unseen.get(context)?.abandon();
      throw error;
    };
    try {
      return wrapped()?.then(undefined, end);
    } catch (error) {
      return end(error);
    }
  };

  /** Keeps the rejection or denial of an HTTP request, so that it stays its answer. */
  function refuse(context: object, { request, answer }: { request: Request; answer: Answer }): ExecutionResult {
    const refusal = resultOf(answer);
    refusals.set(context, refusal);
    const progress = progressOf.get(request)!;
    progress.answered++;
    progress.refusal = refusal;
    return refusal;
  }

  /** Prices a request again that a plugin behind Tollgate has changed after it was let in. */
  async function executeChanged(admission: Admission, payload: BeforeExecution): Promise<undefined> {
    const { args, setResultAndStopExecution } = payload;
    const { params, request } = args.contextValue as Context & { params: YogaParams; request: Request };
    const { query, operationName, variables } = params;
    const { headers, signal } = request;
    admission.request.abandon();
    const contextValue = args.contextValue as Context;
    const asked = await tollgate.protect({ query, operationName, variables, headers, contextValue, signal });
    if (asked.admitted) {
      admission.request = asked;
      args.document = asked.start(contextValue, args.fieldResolver, args.schema);
    } else setResultAndStopExecution(refuse(contextValue, { request, answer: asked.answer }));
  }

  /** For what `onParams` has not seen. */
  async function protect({ args, setResultAndStopExecution }: BeforeExecution): Promise<AdmittedRequest | undefined> {
    const { document, operationName, variableValues: variables, contextValue = {} } = args;
    const query = texts.get(document);
    const asked = await tollgate.protect({
      ...(query === undefined ? { document } : { query }),
      operationName,
      variables,
      headers: headersOf(contextValue),
      contextValue: contextValue as Context,
    });
    if (asked.admitted) {
      unseen.set(contextValue, asked);
      return asked;
    }
    setResultAndStopExecution(resultOfAnswer(asked.answer));
    return undefined;
  }

  /**
   * What is refused before its execution, where `onParams` has not seen it: nothing of it is read again. Its answer is on its way:
   * Yoga waits for no hook there.
   */
  function chargeFee(contextValue: object): void {
    void tollgate.protect({
      rejection: [],
      headers: headersOf(contextValue),
      contextValue: contextValue as Context,
    });
  }

  /** The same for what came over HTTP and was refused by others: its answer says so, or is the denial of who cannot pay. */
  async function payFee(
    refusal: ExecutionResult,
    { context, headers }: { context: object; headers: Headers },
  ): Promise<ExecutionResult> {
    const rejection = refusal.errors ?? [];
    const answer = await answerRejected(tollgate.protect, { rejection, headers, contextValue: context as Context });
    if (answer.feePaid === undefined) return refusal;
    if (!answer.feePaid) return resultOf(answer);
    const { http } = { ...refusal.extensions } as { http?: Partial<Answer> };
    const extensions = { ...refusal.extensions, ...answer.body.extensions };
    return {
      ...refusal,
      extensions: { ...extensions, http: { ...http, headers: { ...http?.headers, ...answer.headers } } },
    };
  }

  /** What was refused before `onParams`, or broke off in another plugin's, has no result of Tollgate's yet. */
  async function payForTheRest(
    request: Request,
    results: readonly YogaResult[],
    serverContext: object,
  ): Promise<YogaResult[]> {
    const { answered = 0, admissions = [] } = progressOf.get(request) ?? {};
    let unpaid = results.length - answered;
    for (const { request: admittedOne, hasBegun, hasResult } of admissions) {
      if (hasResult) continue;
      admittedOne.abandon();
      // Another plugin threw when it saw the result: the operation has run, and has paid its estimate.
      if (hasBegun) unpaid--;
    }
    const context = Object.assign(serverContext, { request });
    return Promise.all(
      results.map((result) => {
        if (!isRefusal(result) || isAnswered(result) || unpaid-- <= 0) return result;
        return payFee(result, { context, headers: request.headers });
      }),
    );
  }

  async function executeUnseen(payload: BeforeExecution) {
    const { args } = payload;
    const request = await protect(payload);
    if (!request) return undefined;
    args.document = request.start(args.contextValue, args.fieldResolver);
    return {
      async onExecuteDone({ result, setResult }: Done) {
        if (Symbol.asyncIterator in result) {
          setResult(settledWhenOver(request, result).parts);
          return;
        }
        const { extensions } = (await request.finish(result)).body;
        setResult({ ...result, ...(extensions && { extensions }) });
      },
    };
  }

  async function subscribeUnseen(payload: BeforeExecution) {
    const { args } = payload;
    const request = await protect(payload);
    if (!request) return undefined;
    startSubscription(request, args);
    return {
      onSubscribeResult({ result, setResult }: Done) {
        if (Symbol.asyncIterator in result) {
          setResult(settledWhenOver(request, result).parts);
        } else void request.finish(result);
      },
    };
  }

  const hooks: YogaPlugin = {
    instrumentation: { operation: endWhereItFails, execute: endWhereItFails, subscribe: endWhereItFails },
    async onParams({ params, request, context, setParams, setResult }) {
      const { query, operationName, variables } = params;
      const { headers, signal } = request;
      const contextValue = Object.assign(context, { request }) as unknown as Context;
      const isHash = hasHashAlone(params);
      const asked = await tollgate.protect({
        ...(isHash
          ? { rejection: [requestError('PERSISTED_QUERY_NOT_SUPPORTED')] }
          : { query, operationName, variables }),
        headers,
        contextValue,
        signal,
      });
      const progress = progressOf.get(request) ?? { answered: 0, admissions: [] };
      progressOf.set(request, progress);
      if (asked.admitted) {
        const admission: Admission = { request: asked, params, hasBegun: false, hasResult: false };
        admitted.set(context, admission);
        progress.admissions.push(admission);
        return;
      }
      if (isHash) {
        // Without a text Yoga, or a plugin that looks for the hash, would reject the request again, by an error on which no client sends
        // the text.
        const { persistedQuery: _hash, ...extensions } = params.extensions as { persistedQuery?: unknown };
        setParams({ ...params, query: '', extensions });
      }
      setResult(refuse(context, { request, answer: asked.answer }));
    },
    onParse({ params: { source }, context }) {
      if (typeof source !== 'string' || admitted.get(context)) return undefined;
      let isParsed = false;
      // Nor is the other hook called where an error is remembered.
      queueMicrotask(() => isParsed || chargeFee(context));
      return ({ result }) => {
        isParsed = typeof result === 'object' && result !== null && !(result instanceof Error);
        if (isParsed) texts.set(result as object, source);
      };
    },
    onValidate({ context }) {
      if (admitted.get(context)) return undefined;
      return ({ valid }) => {
        if (!valid) chargeFee(context);
      };
    },
    onExecute(payload) {
      const { args } = payload;
      const admission = takeAdmission(args);
      if (!admission) return executeUnseen(payload);
      if (!isSameOperation(args, admission)) return executeChanged(admission, payload);
      args.document = admission.request.start(args.contextValue, args.fieldResolver, args.schema);
      return undefined;
    },
    onSubscribe(payload) {
      const { args } = payload;
      const admission = takeAdmission(args);
      if (!admission) return subscribeUnseen(payload);
      startSubscription(admission.request, args);
      return undefined;
    },
    async onExecutionResult({ result, setResult, context, request: httpRequest }) {
      const admission = admitted.get(context);
      if (admission === undefined || result === undefined || refusals.get(context)) return;
      const { request, hasBegun } = admission;
      if (!admission.hasResult) progressOf.get(httpRequest)!.answered++;
      admission.hasResult = true;
      if (Symbol.asyncIterator in result) {
        const { parts, answer } = settledWhenOver(request, result);
        const http = httpOf(await answer);
        // Of what the parts as a whole have as `extensions`, Yoga makes status and headers.
        setResult(Object.assign(parts, { extensions: { http } }));
        return;
      }
      // With the errors as Yoga has masked them.
      const settled = { ...result, extensions: extensionsOf(await request.finish(result)) };
      // Yoga or another plugin has refused it, such as a mutation by GET, and all of it is refunded: it pays what other refusals pay.
      setResult(
        hasBegun || !isRefusal(result) ? settled : await payFee(settled, { context, headers: httpRequest.headers }),
      );
    },
    onResultProcess({ request, result, setResult, serverContext = {} }) {
      if (result === undefined) return undefined;
      const isBatch = Array.isArray(result);
      const results: readonly YogaResult[] = isBatch ? result : [result];
      if ((progressOf.get(request)?.answered ?? 0) >= results.length) {
        if (isBatch) sayOfBatch(result);
        return undefined;
      }
      return payForTheRest(request, results, serverContext).then((paid) => {
        if (isBatch) sayOfBatch(paid);
        setResult(isBatch ? paid : paid[0]!);
      });
    },
  };
  /**
   * The last plugin of the server: a plugin behind Tollgate, such as a response cache, may have put another result in the
   * place of a rejection or denial.
   */
  const keeper: Pick<YogaPlugin, 'onResultProcess'> & {
    onExecutionResult(payload: Omit<Parameters<YogaPlugin['onExecutionResult']>[0], 'request'>): void;
  } = {
    onExecutionResult({ result, setResult, context }) {
      const refusal = refusals.get(context);
      if (refusal && !isSameRefusal(result, refusal)) setResult(refusal);
    },
    onResultProcess({ request, result, setResult }) {
      const refusal = progressOf.get(request)?.refusal;
      if (refusal && !Array.isArray(result) && !isSameRefusal(result as YogaResult, refusal)) setResult(refusal);
      return undefined;
    },
  };
  const refuseApollo = misplaced('useTollgate(tollgate), which is of GraphQL Yoga', FOR_APOLLO);
  const plugin: YogaPlugin = Object.assign(hooks, {
    serverWillStart: async () => refuseApollo(),
    onPluginInit({ plugins }: { plugins: (object | false | null | undefined)[] }) {
      if (plugins.filter((each) => each && protectOf.get(each) === tollgate.protect).length >= 2) {
        throw new TypeError('plugins: useTollgate(tollgate) stands there twice: each operation would be charged twice');
      }
      plugins.push(keeper);
    },
  });
  protectOf.set(plugin, tollgate.protect as Protect<never>);
  return plugin;
}

/** Of each plugin. */
const protectOf = createObjectNotes<object, Protect<never>>();

Object.assign(useTollgate, inNoServer('useTollgate, which is not called: add (tollgate)'));

/** Its events are sent as they come: it is not to ask for what `start` answers, which has names in it that clients do not expect. */
function startSubscription(request: AdmittedRequest, args: ExecutionArgs): void {
  request.start(args.contextValue, args.fieldResolver);
  args.document = request.document;
}

/** Whether what is to be executed is what was priced: a plugin behind Tollgate may have changed it since. */
function isSameOperation({ contextValue }: ExecutionArgs, { params: priced }: Admission): boolean {
  const { params } = contextValue as { params?: YogaParams };
  if (params === undefined || params === priced) return true;
  const { query, operationName, variables } = params;
  return query === priced.query && operationName === priced.operationName && variables === priced.variables;
}
