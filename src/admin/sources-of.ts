import type { GraphQLSchema } from 'graphql';
import { countedAddress, type Ipv6Prefix } from '../identity/address-of.js';
import type { StreamFilter } from '../model/open-stream.js';
import type { Rule } from '../model/rule.js';
import { createKnownFields, type KnownFields } from '../rules/matching/known-fields.js';
import { keptName } from '../runtime/stored-text.js';
import { type ServiceCatalog, UnknownServiceError } from '../services/service-catalog.js';
import type { Tollgate } from '../tollgate/create-tollgate.js';
import type { AdministeredApi, AdminSources } from './context/admin-sources.js';
import { badQuery } from './schema/to-client-error.js';
import { createRulesInCode } from './types/rules-in-code.js';

/** The parts of a Tollgate that the admin API uses. */
export type AdministeredTollgate = Pick<
  Tollgate,
  'administration' | 'health' | 'engineHealth' | 'problems' | 'quota' | 'resetQuota'
>;

interface SourcesOptions {
  tollgate: AdministeredTollgate;
  /**
   * Whether the Tollgate protects an API itself. If false, it only administers the APIs of other
   * processes.
   * @default true
   */
  ownApi?: boolean | undefined;
  /** Prefix length by which IPv6 addresses are counted. @default 64 */
  ipv6Prefix?: Ipv6Prefix | undefined;
}

/**
 * Returns the sources of the admin API for a Tollgate with any schema.
 * @throws TypeError for a Tollgate without `postgres`: options in code cannot be administered
 */
export function sourcesOf({ tollgate, ownApi = true, ipv6Prefix }: SourcesOptions): AdminSources {
  const { administration } = tollgate;
  /**
   * Normalizes the address. Administrators may write it in any form; requests are counted under the
   * normalized form.
   */
  function asCounted<Named extends { ip?: string | undefined }>(subject: Named): Named {
    const ip = countedAddress(subject.ip, ipv6Prefix);
    return ip === undefined ? subject : { ...subject, ip };
  }
  function withCountedAddresses(api: AdministeredApi): AdministeredApi {
    return { ...api, previewOf: (operation) => api.previewOf({ ...operation, as: asCounted(operation.as) }) };
  }
  if (!administration) {
    throw new TypeError(
      'tollgate: expected an instance with the option `postgres`, because the admin API cannot change tiers and rules in code',
    );
  }
  const {
    store,
    registry,
    usage,
    watchTraffic,
    hotCallers,
    sharedAddresses,
    rulesInCode,
    declaredTiers,
    service,
    policies,
  } = administration;
  const catalog = administration.catalog({ withOwn: ownApi });
  const knownFieldsOf = rememberKnownFields();
  /**
   * Returns the rules in code that compete with stored rules in every API. If this process only
   * administers a single API, they include the rules in the code of that API. With several APIs
   * they do not, because the rules in the code of one API have no effect in the others.
   */
  async function competing(): Promise<readonly Rule[]> {
    if (ownApi) return rulesInCode;
    const [only, ...more] = await policies.all();
    return only && more.length === 0 ? [...rulesInCode, ...only.rules] : rulesInCode;
  }
  return {
    store,
    registry,
    usage,
    watchTraffic,
    hotCallers,
    sharedAddresses,
    openStreams: ({ filter, ...page }) => administration.openStreams({ ...page, filter: asListed(asCounted(filter)) }),
    settings: administration.settings,
    apis: {
      own: ownApi ? { service: service ?? null } : undefined,
      services: catalog.services,
      all: catalog.all,
      apiOf: async (service) => withCountedAddresses(await catalog.apiOf(service).catch(asBadQuery)),
    },
    inCode: createRulesInCode({
      own: { service, rules: rulesInCode, since: new Date() },
      others: async () => (await policies.all()).map(({ publishedAt: since, ...policy }) => ({ ...policy, since })),
      store,
    }),
    async tiersInCode() {
      const others = (await policies.all()).filter((policy) => policy.service !== service);
      return [{ service: service ?? null, tiers: declaredTiers }, ...others];
    },
    surroundings: async () => ({ fields: await knownFieldsOf(catalog), rulesInCode: await competing() }),
    async instances(limit) {
      const running = await administration.instances(limit);
      return running.map((one) => ({ ...one, isAnswering: one.id === administration.instance }));
    },
    quotaOf: (subject) => tollgate.quota(asCounted(subject)),
    regionPartsOf: administration.regionPartsOf,
    resetQuota: (subject) => tollgate.resetQuota(asCounted(subject)),
    healthOf: () => ({ problems: tollgate.problems(), engines: tollgate.engineHealth(), rules: tollgate.health() }),
  };
}

/** Caches the fields of all schemas until one of the schemas changes. */
function rememberKnownFields() {
  let last: { schemas: readonly GraphQLSchema[]; fields: KnownFields | undefined } | undefined;
  return async ({ all }: Pick<ServiceCatalog<AdministeredApi>, 'all'>) => {
    const schemas = (await all()).map(({ schema }) => schema);
    if (last?.schemas.length !== schemas.length || schemas.some((schema, i) => schema !== last?.schemas[i])) {
      last = { schemas, fields: createKnownFields(schemas) };
    }
    return last.fields;
  };
}

/** Returns the filter with long names shortened like those of listed streams. */
function asListed(filter: StreamFilter): StreamFilter {
  const named = Object.entries(filter).map(([member, name]) => [member, name === undefined ? name : keptName(name)]);
  return Object.fromEntries(named) as StreamFilter;
}

function asBadQuery(error: unknown): never {
  if (error instanceof UnknownServiceError) throw badQuery(error.message);
  throw error;
}
