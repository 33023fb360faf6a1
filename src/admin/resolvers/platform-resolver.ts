import { printSchema } from 'graphql';
import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { checkFirst } from '../context/check-usage-filter.js';
import {
  orNull,
  presentApiKey,
  presentChange,
  presentRule,
  presentSubject,
  presentTier,
} from '../context/present-change.js';
import { presentDocumentVersion } from '../context/present-document-version.js';
import { callerOf, limitedSubject, toSubject } from '../context/to-quota.js';
import { toFilter } from '../schema/change-input.js';
import { ChangeConnectionType, ChangeFilterInput } from '../schema/change-type.js';
import { MAX_TOTAL, NodeType, numberAfter, PageArgs, toConnection, toPage } from '../schema/connection.js';
import { orUserErrors } from '../schema/or-user-errors.js';
import { badQuery } from '../schema/to-client-error.js';
import { numberOf, parseGlobalId } from '../schema/to-global-id.js';
import {
  ChargePreviewInput,
  ChargePreviewPayload,
  CostExplainInput,
  CostExplainPayload,
} from '../types/cost-explain-payload.js';
import { GuessedPricesArgs, GuessedPriceType } from '../types/guessed-price-type.js';
import { SchemaFieldConnectionType, SchemaFieldsArgs } from '../types/schema-field-type.js';
import { OwnApiType, ServiceType } from '../types/service-type.js';
import { SettingType } from '../types/setting-type.js';
import { ViewerType } from '../types/viewer-type.js';

/** Queries about the platform. */
@Resolver()
export class PlatformResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => ViewerType, { description: 'Your name and your role.' })
  viewer(@Ctx() { actor, role }: AdminContext): ViewerType {
    return { ...actor, role };
  }

  @Requires('VIEWER')
  @Query(() => NodeType, { nullable: true, description: 'The object with this id; null if there is none.' })
  async node(
    @Arg('id', () => ID, { description: 'A value of `Node.id`.' }) id: string,
    @Ctx() { loaders }: AdminContext,
  ): Promise<object | null> {
    const { kind, key } = parseGlobalId(id) ?? {};
    const named = <Shown extends object>(shown: Shown | null) => shown && { __typename: kind, ...shown };
    const number = kind === undefined ? 0 : numberOf(kind, id);
    switch (kind) {
      case 'Tier':
        return named(orNull(await loaders.tier.load(key ?? ''), presentTier));
      case 'Rule':
        return named(orNull(await loaders.rule.load(key ?? ''), presentRule));
      case 'Subject':
        return named(orNull(await loaders.subject.load(number), presentSubject));
      case 'ApiKey':
        return named(orNull(await loaders.apiKey.load(number), presentApiKey));
      case 'Change':
        return named(orNull(await loaders.change.load(number), presentChange));
      case 'DocumentVersion':
        return named(orNull(await this.sources.registry.versionByNumber(number), presentDocumentVersion));
      // Admin tokens and sessions of the console are for admins only. They have lists, and cannot
      // be found by id.
      default:
        return null;
    }
  }

  @Requires('VIEWER')
  @Query(() => ChangeConnectionType, { description: 'All changes and denied attempts, newest first.' })
  async changes(
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => ChangeFilterInput, {
      nullable: true,
      description: 'Conditions for the elements to list. Default: all.',
    })
    filter: ChangeFilterInput | undefined,
  ) {
    const page = toPage(args);
    const before = numberAfter(page, Number.MAX_SAFE_INTEGER);
    const { store } = this.sources;
    const rows = await store.pageChanges(toFilter(filter), { before, limit: page.limit });
    const all = { before: Number.MAX_SAFE_INTEGER, limit: MAX_TOTAL };
    const count = () => store.count((pages) => pages.pageChanges(toFilter(filter), all));
    return toConnection(page, rows, ({ number }) => number, presentChange, count);
  }

  @Requires('VIEWER')
  @Query(() => [ServiceType], {
    description:
      'The APIs whose servers have published their schemas with `createTollgate({ service, ... })`, ordered by name.',
  })
  services() {
    return this.sources.apis.services();
  }

  @Requires('VIEWER')
  @Query(() => OwnApiType, {
    nullable: true,
    description:
      'The API that this process protects, which is the default of each argument `service`; null if it protects none.',
  })
  ownApi(): OwnApiType | null {
    const { apis, schemaSource } = this.sources;
    return apis.own ? { service: apis.own.service, upstream: schemaSource?.address ?? null } : null;
  }

  @Requires('VIEWER')
  @Query(() => String, {
    description:
      'The schema of the protected API as SDL, without annotations of prices. Editors use it for completion and validation.',
  })
  async schemaSdl(
    @Arg('service', () => String, {
      nullable: true,
      description: 'Name in `services`. Default: the API of this process or the only API.',
    })
    service: string | null | undefined,
  ): Promise<string> {
    return printSchema((await this.sources.apis.apiOf(service)).schema);
  }

  @Requires('VIEWER')
  @Query(() => CostExplainPayload, {
    description:
      'The estimated cost of an operation of the protected API, and its parts: `costExplain(input: {query: "{ countries { name } }"}) { explanation { cost } }`.',
  })
  async costExplain(
    @Arg('input', () => CostExplainInput, { description: 'The operation and its variables.' }) input: CostExplainInput,
  ): Promise<CostExplainPayload> {
    const { value, userErrors } = await orUserErrors(async () => {
      const { explainOf } = await this.sources.apis.apiOf(input.service);
      return explainOf(toOperation(input));
    });
    return { explanation: value, userErrors };
  }

  @Requires('VIEWER')
  @Query(() => ChargePreviewPayload, {
    description:
      'The decision on an operation at this moment, and the charge for each limit. A preview charges nothing. `chargePreview(input: {query: "{ countries { name } }", as: {user: "42"}}) { preview { verdict } }`.',
  })
  async chargePreview(
    @Arg('input', () => ChargePreviewInput, { description: 'The operation and its caller.' })
    input: ChargePreviewInput,
    @Ctx() { loaders }: AdminContext,
  ): Promise<ChargePreviewPayload> {
    const { value, userErrors } = await orUserErrors(async () => {
      const known = await callerOf(toSubject(input.as), this.sources.store, loaders);
      if (!known) throw badQuery('as: this API key is unknown, revoked or expired');
      const { previewOf } = await this.sources.apis.apiOf(input.service);
      const given = { client: input.client ?? undefined, clientVersion: input.clientVersion ?? undefined };
      const at = input.at ?? undefined;
      const preview = await previewOf({ ...toOperation(input), ...given, as: limitedSubject(known), at });
      const limits = preview.limits.map((one) => ({ ...one, resetAt: new Date(one.resetAtMs) }));
      return { ...preview, limits, disabled: known.disabled };
    });
    return { preview: value, userErrors };
  }

  @Requires('VIEWER')
  @Query(() => SchemaFieldConnectionType, {
    description: 'The fields of the schema in force, with their costs, weights and the sources of list sizes.',
  })
  async schemaFields(
    @Args(() => SchemaFieldsArgs) { service, startsWith, contains, orderBy, ...args }: SchemaFieldsArgs,
  ) {
    const page = toPage(args);
    const { fields } = await this.sources.apis.apiOf(service);
    const part = contains?.toLowerCase() ?? '';
    const found = fields().filter(
      ({ coordinate }) => coordinate.startsWith(startsWith ?? '') && coordinate.toLowerCase().includes(part),
    );
    const all = orderBy === 'COST' ? [...found].sort((a, b) => costForOrder(b) - costForOrder(a)) : found;
    const last = page.after === undefined ? -1 : all.findIndex(({ coordinate }) => coordinate === page.after);
    if (page.after !== undefined && last < 0)
      throw badQuery('after: the schema no longer has the last field of the previous page; restart without `after`');
    const rows = all.slice(last + 1, last + 1 + page.limit);
    return toConnection(
      page,
      rows,
      ({ coordinate }) => coordinate,
      (field) => field,
      async () => Math.min(MAX_TOTAL, all.length),
    );
  }

  @Requires('VIEWER')
  @Query(() => [GuessedPriceType], {
    description:
      'Lists of the protected API whose size is a guess, each with the annotation to add. Lists whose size is always a guess come first.',
  })
  async guessedPrices(@Args(() => GuessedPricesArgs) { first, service }: GuessedPricesArgs) {
    const limit = checkFirst(first);
    const { guessedPrices } = await this.sources.apis.apiOf(service);
    return guessedPrices().slice(0, limit);
  }

  @Requires('ADMIN')
  @Query(() => [SettingType], {
    description: 'The settings in force in the process that handles the request, without secrets.',
  })
  settings() {
    return this.sources.settings ?? [];
  }
}

function toOperation({ query, variables, operationName }: CostExplainInput) {
  if (variables && (typeof variables !== 'object' || Array.isArray(variables)))
    throw badQuery('variables: expected an object');
  return { query, variables: variables ?? {}, operationName: operationName ?? undefined };
}

/**
 * Returns the number by which a field is sorted: its cost. A cost that depends on a function or on
 * a parent field is unknown. It is sorted as the highest, because it may be.
 */
function costForOrder({ cost }: { cost: number | null }): number {
  return cost ?? Number.MAX_VALUE;
}
