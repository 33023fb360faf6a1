import type { GraphQLSchema } from 'graphql';
import { countedAddress, type Ipv6Prefix } from '../identity/address-of.js';
import type { Rule } from '../model/rule.js';
import type { Subject } from '../model/subject.js';
import { createKnownFields, type KnownFields } from '../rules/matching/known-fields.js';
import { type ServiceCatalog, UnknownServiceError } from '../services/service-catalog.js';
import type { Tollgate } from '../tollgate/create-tollgate.js';
import type { AdministeredApi, AdminSources } from './context/admin-sources.js';
import { badQuery } from './schema/to-client-error.js';
import { createRulesInCode } from './types/rules-in-code.js';

/** What of a Tollgate is administered. */
export type AdministeredTollgate = Pick<
  Tollgate,
  'administration' | 'health' | 'engineHealth' | 'problems' | 'quota' | 'resetQuota'
>;

interface SourcesOptions {
  tollgate: AdministeredTollgate;
  /** False: the Tollgate protects no API, it administers those of other processes. @default true */
  ownApi?: boolean | undefined;
  /** Bits by which IPv6 callers are told apart. @default 64 */
  ipv6Prefix?: Ipv6Prefix | undefined;
}

/**
 * The administration of a Tollgate, of whatever schema it protects.
 * @throws TypeError for one without `postgres`: what was given in code cannot be administered
 */
export function sourcesOf({ tollgate, ownApi = true, ipv6Prefix }: SourcesOptions): AdminSources {
  const { administration } = tollgate;
  /** Administrators write an address as it is; requests are counted under the form that it has there. */
  function asCounted(subject: Subject): Subject {
    const ip = countedAddress(subject.ip, ipv6Prefix);
    return ip === undefined ? subject : { ...subject, ip };
  }
  function withCountedAddresses(api: AdministeredApi): AdministeredApi {
    return { ...api, previewOf: (operation) => api.previewOf({ ...operation, as: asCounted(operation.as) }) };
  }
  if (!administration) {
    throw new TypeError(
      'tollgate: expected one made with `postgres`, as tiers and rules in code cannot be administered',
    );
  }
  const { store, usage, watchTraffic, hotCallers, rulesInCode, declaredTiers, service, policies } = administration;
  const catalog = administration.catalog({ withOwn: ownApi });
  const knownFieldsOf = rememberKnownFields();
  /** What a stored rule competes with everywhere: code that is in one of several APIs says nothing of the others. */
  async function competing(): Promise<readonly Rule[]> {
    if (ownApi) return rulesInCode;
    const [only, ...more] = await policies.all();
    return only && more.length === 0 ? [...rulesInCode, ...only.rules] : rulesInCode;
  }
  return {
    store,
    usage,
    watchTraffic,
    hotCallers,
    settings: administration.settings,
    apis: {
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
    resetQuota: (subject) => tollgate.resetQuota(asCounted(subject)),
    healthOf: () => ({ problems: tollgate.problems(), engines: tollgate.engineHealth(), rules: tollgate.health() }),
  };
}

/** The fields of all schemas, read again only once one of them is another. */
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

function asBadQuery(error: unknown): never {
  if (error instanceof UnknownServiceError) throw badQuery(error.message);
  throw error;
}
