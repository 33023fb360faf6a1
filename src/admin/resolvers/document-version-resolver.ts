import { setImmediate as turn } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { errorOf } from '../../model/errors.js';
import { byName, checkDocuments } from '../../registry/check-documents.js';
import type { DocumentInput } from '../../registry/document-input.js';
import type { BrokenDocuments } from '../../registry/find-broken-documents.js';
import type { DocumentPrice } from '../../registry/price-document.js';
import { documentOfText } from '../../registry/read-manifest.js';
import type { DocumentFilter, VersionFilter } from '../../registry/read-version.js';
import type { UserError } from '../../rules/store/outcome.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { checkFirst } from '../context/check-usage-filter.js';
import { historyPage } from '../context/history-page.js';
import { orNull } from '../context/present-change.js';
import { presentDocument, presentDocumentVersion, presentVersionCaller } from '../context/present-document-version.js';
import { toFilter, toPayload } from '../schema/change-input.js';
import { ChangeConnectionType } from '../schema/change-type.js';
import { MAX_TOTAL, numberAfter, PageArgs, toConnection, toPage } from '../schema/connection.js';
import { orUserErrors } from '../schema/or-user-errors.js';
import { badQuery } from '../schema/to-client-error.js';
import { SERVICE } from '../types/cost-explain-payload.js';
import {
  BrokenDocumentsType,
  DocumentPriceType,
  DocumentsCheckInput,
  DocumentsCheckPayload,
  DocumentVersionCallerType,
  DocumentVersionConnectionType,
  DocumentVersionFilterInput,
  DocumentVersionPayload,
  DocumentVersionPublishInput,
  DocumentVersionPushInput,
  DocumentVersionRetireInput,
  DocumentVersionType,
  RegisteredDocumentConnectionType,
  RegisteredDocumentFilterInput,
  type RegisteredDocumentInput,
  RegisteredDocumentType,
} from '../types/document-version-type.js';

const SHOWN = { documentVersion: presentDocumentVersion };
const MAX_CALLER_DAYS = 400;
/** Maximum duration of a search for broken documents. The first one on a schema is slow. */
const MAX_SEARCH_MS = 10_000;

@Resolver(() => DocumentVersionType)
export class DocumentVersionResolver {
  /** Whether a check runs. Only one may run per process, because it uses the CPU of requests. */
  private isChecking = false;
  /** Searches for broken documents in flight, by schema and arguments. Pages share them. */
  private readonly searches = new WeakMap<GraphQLSchema, Map<string, Promise<BrokenDocuments>>>();

  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => DocumentVersionConnectionType, {
    description: 'The versions of apps with registered documents, those pushed first last.',
  })
  async documentVersions(
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => DocumentVersionFilterInput, {
      nullable: true,
      description: 'Conditions for the elements to list. Default: all.',
    })
    filter: DocumentVersionFilterInput | undefined,
  ) {
    const page = toPage(args);
    const before = numberAfter(page, Number.MAX_SAFE_INTEGER);
    const { registry } = this.sources;
    const wanted = toFilter<VersionFilter>(filter);
    const rows = await registry.versions(wanted, { before, limit: page.limit });
    const count = () => registry.countVersions(wanted, MAX_TOTAL);
    return toConnection(page, rows, ({ number }) => number, presentDocumentVersion, count);
  }

  @Requires('VIEWER')
  @Query(() => DocumentVersionType, { nullable: true, description: 'A version of an app; null if there is none.' })
  async documentVersion(
    @Arg('app', () => String, { description: 'A value of `DocumentVersion.app`.' }) app: string,
    @Arg('version', () => String, { description: 'A value of `DocumentVersion.version`.' }) version: string,
  ) {
    return orNull(await this.sources.registry.version(app, version), presentDocumentVersion);
  }

  @FieldResolver(() => RegisteredDocumentConnectionType, {
    description: 'The documents of the version, in the order of their registration.',
  })
  async documents(
    @Root() { number }: DocumentVersionType,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => RegisteredDocumentFilterInput, {
      nullable: true,
      description: 'Conditions for the elements to list. Default: all.',
    })
    filter: RegisteredDocumentFilterInput | undefined,
  ) {
    const page = toPage(args);
    const after = numberAfter(page, 0);
    const wanted = toFilter<DocumentFilter>(filter);
    const rows = await this.sources.registry.documents(number, { ...wanted, after, limit: page.limit });
    return toConnection(page, rows, (row) => row.number, presentDocument);
  }

  @FieldResolver(() => [DocumentVersionCallerType], {
    description: 'The callers that used the version in the last days, up to 100, the most frequent first.',
  })
  async callers(
    @Root() { number }: DocumentVersionType,
    @Arg('days', () => Int, { defaultValue: 7, description: `Number of days, 1 to ${MAX_CALLER_DAYS}.` }) days: number,
  ) {
    if (days < 1 || days > MAX_CALLER_DAYS)
      throw badQuery(`days: expected a whole number from 1 to ${MAX_CALLER_DAYS}, got ${days}`);
    return (await this.sources.registry.callersOf(number, days)).map(presentVersionCaller);
  }

  @FieldResolver(() => ChangeConnectionType, { description: 'The changes of the version, newest first.' })
  history(
    @Root() { app, version }: DocumentVersionType,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { loaders }: AdminContext,
  ) {
    return historyPage(loaders, 'DOCUMENTS', `${app} ${version}`, page);
  }

  @Requires('VIEWER')
  @Query(() => BrokenDocumentsType, {
    description: 'The published documents that the current schema of an API breaks, of one app or of all.',
  })
  async brokenDocuments(
    @Arg('app', () => String, { nullable: true, description: 'Only documents of this app.' })
    app: string | null | undefined,
    @Arg('service', () => String, { nullable: true, description: SERVICE }) service: string | null | undefined,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of documents: 1 to 100.' }) first: number,
  ): Promise<BrokenDocumentsType> {
    const limit = checkFirst(first);
    const { schema } = await this.sources.apis.apiOf(service);
    const found = await this.search(schema, app ?? undefined);
    const documents = found.documents.slice(0, limit).map(({ id, ...document }) => ({ ...document, documentId: id }));
    return { ...found, documents };
  }

  /** Finds broken documents. Equal requests at the same time share one search. */
  private search(schema: GraphQLSchema, app: string | undefined): Promise<BrokenDocuments> {
    const running = this.searches.get(schema) ?? new Map<string, Promise<BrokenDocuments>>();
    this.searches.set(schema, running);
    const key = JSON.stringify(app ?? null);
    const known = running.get(key);
    if (known) return known;
    const startedMs = performance.now();
    const isStopped = () => performance.now() - startedMs > MAX_SEARCH_MS;
    const search = this.sources.registry.broken({ schema, app, isStopped }).finally(() => running.delete(key));
    running.set(key, search);
    return search;
  }

  @Requires('VIEWER')
  @Query(() => DocumentsCheckPayload, {
    description: 'Checks documents on the schema and prices of an API. It stores nothing.',
  })
  async documentsCheck(
    @Arg('input', () => DocumentsCheckInput, { description: 'The documents and their maxima.' })
    input: DocumentsCheckInput,
  ): Promise<DocumentsCheckPayload> {
    const { documents, app, service } = input;
    const found = await orUserErrors(() => this.sources.apis.apiOf(service));
    const userErrors = [
      ...found.userErrors,
      ...findMaximumMistakes(input),
      ...(documents.length === 0 ? [invalid('documents', 'expected at least one document')] : []),
    ];
    if (found.value === null || userErrors.length > 0) return { passed: false, documents: [], removed: [], userErrors };
    const { priceDocument } = found.value;
    if (this.isChecking) throw errorOf('THROTTLED', 'This process already runs a check: try again when it has ended');
    this.isChecking = true;
    try {
      const earlier = await byName(app ? textsOf(this.sources.registry.lastPublished(app)) : []);
      const checked: DocumentsCheckPayload['documents'] = [];
      const options = {
        documents: documents.map(withId),
        earlier,
        priceOf: priceDocument,
        maxCost: input.maxCost ?? undefined,
        maxIncrease: input.maxIncrease ?? undefined,
      };
      for await (const { document, before = null, ...one } of checkDocuments(options))
        checked.push({ ...one, before, documentId: document.id });
      const names = new Set(checked.map(({ name }) => name));
      return {
        passed: checked.every(({ problems }) => problems.length === 0),
        documents: checked,
        removed: [...earlier.keys()].filter((name) => !names.has(name)),
        userErrors,
      };
    } finally {
      this.isChecking = false;
    }
  }

  @Requires('OPERATOR')
  @Mutation(() => DocumentVersionPayload, {
    nullable: true,
    description:
      'Adds documents to a version of an app, and creates the version if it does not exist. Documents that it has already stay unchanged.',
  })
  async documentVersionPush(
    @Arg('input', () => DocumentVersionPushInput, { description: 'The version and the documents.' })
    { documents, ...input }: DocumentVersionPushInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.registry.push({ ...input, documents: documents.map(withId) }, actor), SHOWN);
  }

  @Requires('OPERATOR')
  @Mutation(() => DocumentVersionPayload, {
    nullable: true,
    description: 'Publishes a version of an app: callers can send its documents by id. It may have been retired.',
  })
  async documentVersionPublish(
    @Arg('input', () => DocumentVersionPublishInput, { description: 'The version to publish.' })
    input: DocumentVersionPublishInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.registry.publish(input, actor), SHOWN);
  }

  @Requires('OPERATOR')
  @Mutation(() => DocumentVersionPayload, {
    nullable: true,
    description:
      'Retires a version of an app, if it was not used recently. Otherwise the error `IN_USE` names the callers that used it.',
  })
  async documentVersionRetire(
    @Arg('input', () => DocumentVersionRetireInput, { description: 'The version to retire.' })
    input: DocumentVersionRetireInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.registry.retire(input, actor), SHOWN);
  }
}

@Resolver(() => RegisteredDocumentType)
export class RegisteredDocumentResolver {
  /** The last price that was requested. Prices are computed one per turn of the event loop. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly sources: AdminSources) {}

  @FieldResolver(() => DocumentPriceType, { description: 'Price of the document on the current schema of an API.' })
  async price(
    @Root() { text }: RegisteredDocumentType,
    @Arg('service', () => String, { nullable: true, description: SERVICE }) service: string | null | undefined,
  ): Promise<DocumentPrice> {
    const { priceDocument } = await this.sources.apis.apiOf(service);
    const price = this.last.then(() => turn()).then(() => priceDocument(text));
    this.last = price;
    return price;
  }
}

function withId({ id, text }: RegisteredDocumentInput): DocumentInput {
  return (id ?? null) === null ? documentOfText(text) : { id: id!, text };
}

async function* textsOf(documents: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  for await (const { text } of documents) yield text;
}

function findMaximumMistakes(maxima: DocumentsCheckInput): UserError[] {
  return (['maxCost', 'maxIncrease'] as const).flatMap((name) => {
    const value = maxima[name] ?? 0;
    return value >= 0 ? [] : [invalid(name, `expected a number of 0 or more, got ${value}`)];
  });
}

function invalid(field: string, message: string): UserError {
  return { code: 'INVALID', field: [field], message };
}
