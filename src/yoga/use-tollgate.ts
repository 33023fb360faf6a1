import type { DocumentNode, ExecutionResult } from 'graphql';
import type { Answer } from '../any-server/answer-of.js';
import { hasHashAlone, withoutItsText } from '../any-server/persisted-hash.js';
import type { AdmittedRequest, Protect } from '../any-server/protect.js';
import { headersOf } from '../any-server/request-headers.js';
import { isWithoutText, resultOfAnswer } from '../any-server/result-of-answer.js';
import { settledWhenOver } from '../any-server/settled-when-over.js';
import { createObjectNotes } from '../model/objects/attach-to-object.js';
import { FOR_APOLLO, inNoServer, misplaced } from '../model/packages/misplaced-plugin.js';
import { joinBatchHeaders } from '../protection/answer/batch-headers.js';
import type { FieldResolver } from '../protection/leases/watch-resolvers.js';

/** One, or the parts of one. */
type YogaResult = ExecutionResult | AsyncIterable<ExecutionResult>;

/** What is to be executed, as the hooks of Envelop are told. */
interface ExecutionArgs {
  document: DocumentNode;
  contextValue?: object | undefined;
  operationName?: string | null | undefined;
  variableValues?: Readonly<Record<string, unknown>> | null | undefined;
  fieldResolver?: FieldResolver | null | undefined;
}

/** What an operation came to, which a hook may replace. */
interface Done {
  result: YogaResult;
  setResult(result: YogaResult): void;
}

interface BeforeExecution {
  args: ExecutionArgs;
  setResultAndStopExecution(result: ExecutionResult): void;
}

/** What is asked for. */
interface YogaParams {
  query?: string | undefined;
  operationName?: string | null | undefined;
  variables?: Readonly<Record<string, unknown>> | null | undefined;
  extensions?: unknown;
}

/**
 * The hooks of GraphQL Yoga that Tollgate has. A type of our own, so that a program without Yoga needs no types of it to be
 * compiled.
 */
export interface YogaPlugin {
  onParams(payload: {
    params: YogaParams;
    request: Request;
    context: object;
    setParams(params: YogaParams): void;
    setResult(result: ExecutionResult): void;
  }): Promise<void>;
  onParse(payload: {
    params: { source: unknown };
    context: object;
  }): ((parsed: { result: unknown }) => void) | undefined;
  onValidate(payload: { context: object }): ((validated: { valid: boolean }) => void) | undefined;
  onExecute(payload: BeforeExecution): Promise<{ onExecuteDone(done: Done): Promise<void> } | undefined> | undefined;
  onSubscribe(payload: BeforeExecution): Promise<{ onSubscribeResult(done: Done): void } | undefined> | undefined;
  onExecutionResult(payload: {
    result: YogaResult | undefined;
    setResult(result: YogaResult): void;
    context: object;
    request: Request;
  }): Promise<void>;
  /** Of a batch, the list of its results. */
  onResultProcess(payload: {
    request: Request;
    result: YogaResult | readonly YogaResult[] | undefined;
    setResult(result: YogaResult | readonly YogaResult[]): void;
    /** What the contexts of its operations are made of. */
    serverContext?: object | undefined;
  }): Promise<void> | undefined;
}

/** What `onParams` has let in: one operation, which begins once. */
interface Admission {
  request: AdmittedRequest;
  hasBegun: boolean;
  hasResult: boolean;
}

/** What has become of the operations of one HTTP request. */
interface Progress {
  /** How many Tollgate has answered: each has paid. */
  answered: number;
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
  /** Of documents that came over no HTTP request: by its text a document is measured, and its plan is found again. */
  const texts = createObjectNotes<object, string>();
  const progressOf = createObjectNotes<Request, Progress>();

  /** Once: what is executed later with the same context is another operation. */
  function takeAdmission({ contextValue }: ExecutionArgs): AdmittedRequest | undefined {
    const admission = contextValue && admitted.get(contextValue);
    if (!admission || admission.hasBegun) return undefined;
    admission.hasBegun = true;
    return admission.request;
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
    if (asked.admitted) return asked;
    setResultAndStopExecution(resultOfAnswer(asked.answer));
    return undefined;
  }

  /**
   * What is refused before its execution, where `onParams` has not seen it: nothing of it is read again. Its answer is on its way:
   * Yoga waits for no hook there.
   */
  function chargeFee(contextValue: object): void {
    void tollgate.protect({ headers: headersOf(contextValue), contextValue: contextValue as Context });
  }

  /** The same for what came over HTTP and was refused by others: its answer says so, or is the denial of who cannot pay. */
  async function payFee(
    refusal: ExecutionResult,
    { context, headers }: { context: object; headers: Headers },
  ): Promise<ExecutionResult> {
    const asked = await tollgate.protect({ headers, contextValue: context as Context });
    if (asked.admitted) return refusal;
    if (!isWithoutText(asked.answer)) return resultOf(asked.answer);
    const { http } = { ...refusal.extensions } as { http?: Partial<Answer> };
    const extensions = { ...refusal.extensions, ...asked.answer.body.extensions };
    return {
      ...refusal,
      extensions: { ...extensions, http: { ...http, headers: { ...http?.headers, ...asked.answer.headers } } },
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
      if (hasBegun) {
        // Another plugin threw when it saw the result: the operation has run, and has paid its estimate.
        admittedOne.abandon();
        unpaid--;
      } else await admittedOne.finish(NOTHING_CAME);
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
    async onParams({ params, request, context, setParams, setResult }) {
      const { query, operationName, variables } = params;
      const { headers, signal } = request;
      const contextValue = Object.assign(context, { request }) as unknown as Context;
      const asked = await tollgate.protect({ query, operationName, variables, headers, contextValue, signal });
      const progress = progressOf.get(request) ?? { answered: 0, admissions: [] };
      progressOf.set(request, progress);
      if (asked.admitted) {
        const admission: Admission = { request: asked, hasBegun: false, hasResult: false };
        admitted.set(context, admission);
        progress.admissions.push(admission);
        return;
      }
      progress.answered++;
      if (hasHashAlone(params)) {
        // Else Yoga refuses what has no text after this, in words on which no client sends one, and so does a plugin that looks for
        // the hash too late.
        const { persistedQuery: _hash, ...extensions } = params.extensions as { persistedQuery?: unknown };
        setParams({ ...params, query: '', extensions });
        setResult(resultOf(withoutItsText(asked.answer)));
      } else setResult(resultOf(asked.answer));
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
      const request = takeAdmission(args);
      if (!request) return executeUnseen(payload);
      args.document = request.start(args.contextValue, args.fieldResolver);
      return undefined;
    },
    onSubscribe(payload) {
      const { args } = payload;
      const request = takeAdmission(args);
      if (!request) return subscribeUnseen(payload);
      startSubscription(request, args);
      return undefined;
    },
    async onExecutionResult({ result, setResult, context, request: httpRequest }) {
      const admission = admitted.get(context);
      if (admission === undefined || result === undefined) return;
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
  const refuseApollo = misplaced('useTollgate(tollgate), which is of GraphQL Yoga', FOR_APOLLO);
  const plugin: YogaPlugin = Object.assign(hooks, {
    serverWillStart: async () => refuseApollo(),
    onPluginInit({ plugins }: { plugins: readonly (object | false | null | undefined)[] }) {
      if (plugins.filter((each) => each && protectOf.get(each) === tollgate.protect).length < 2) return;
      throw new TypeError('plugins: useTollgate(tollgate) stands there twice: each operation would be charged twice');
    },
  });
  protectOf.set(plugin, tollgate.protect as Protect<never>);
  return plugin;
}

const NOTHING_CAME: ExecutionResult = { errors: [] };

/** Of each plugin. */
const protectOf = createObjectNotes<object, Protect<never>>();

Object.assign(useTollgate, inNoServer('useTollgate, which is not called: add (tollgate)'));

/** Its events are sent as they come: it is not to ask for what `start` answers, which has names in it that clients do not expect. */
function startSubscription(request: AdmittedRequest, args: ExecutionArgs): void {
  request.start(args.contextValue, args.fieldResolver);
  args.document = request.document;
}

/** Whether it was answered with errors before anything of it ran. */
function isRefusal(result: YogaResult): result is ExecutionResult {
  return !(Symbol.asyncIterator in result) && (result.data ?? undefined) === undefined && !!result.errors?.length;
}

/** Whether its answer is Tollgate's: each says its headers. */
function isAnswered({ extensions }: ExecutionResult): boolean {
  return (extensions as { http?: Partial<Answer> } | undefined)?.http?.headers !== undefined;
}

/** Yoga makes status and headers of what the list itself has as `extensions`, which is not sent. */
function sayOfBatch(results: readonly YogaResult[]): void {
  Object.assign(results, { extensions: { http: httpOfBatch(results as readonly ExecutionResult[]) } });
}

/** Yoga makes status and headers of `extensions.http`. */
function extensionsOf(answer: Answer): Record<string, unknown> {
  return { ...answer.body.extensions, http: httpOf(answer) };
}

const httpOf = ({ status, headers }: Answer) => ({ status, headers });

/** The status that all of its answers have, else 200. */
function httpOfBatch(results: readonly ExecutionResult[]): Pick<Answer, 'status' | 'headers'> {
  const all = results.flatMap(({ extensions }) => (extensions?.['http'] as Answer | undefined) ?? []);
  const statuses = new Set(all.map(({ status }) => status));
  const agree = statuses.size === 1 && all.length === results.length;
  const headers = Object.fromEntries(joinBatchHeaders(all.flatMap((each) => Object.entries(each.headers))));
  return { status: agree ? [...statuses][0]! : 200, headers };
}

function resultOf(answer: Answer): ExecutionResult {
  const { errors, data } = answer.body;
  return {
    ...(errors && { errors: errors as ExecutionResult['errors'] & object }),
    ...(data !== undefined && { data: data as ExecutionResult['data'] & object }),
    extensions: extensionsOf(answer),
  };
}
