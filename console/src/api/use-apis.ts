import { useSearchParams } from 'wouter';
import { useSession } from '../app/login/session-context.js';
import { ApisDocument, type ApisQuery } from '../generated/graphql.js';
import { withParam } from '../parts/range/use-range.js';
import { visibleText } from '../parts/text/visible-text.js';
import { commonText } from '../text/common-text.js';
import { useAdmin } from './use-admin.js';

/** An API whose operations the platform can price. */
export interface KnownApi {
  /** Value of the argument `service`. Null: the API of this process, if it has no name. */
  service: string | null;
  title: string;
  /** Whether the process that serves the console protects this API. */
  isOwn: boolean;
}

export interface ApisInUse {
  /** Known APIs, the API of this process first. Undefined: not loaded yet, or unavailable. */
  apis: readonly KnownApi[] | undefined;
  /** Whether the requests of the page can be sent. */
  isReady: boolean;
  /** Value of the argument `service` for the requests of the page. */
  service: string | null;
  /** Whether the page is about the API of this process. */
  isOwn: boolean;
  choose(service: string | null): void;
}

/**
 * Returns the known APIs, and the one that `?service=` selects. By default, it is the API of this
 * process.
 */
export function useApis(): ApisInUse {
  const { demo } = useSession();
  const [search, setSearch] = useSearchParams();
  const { data, error } = useAdmin(ApisDocument, {});
  const apis = data && apisOf(data, demo);
  const asked = search.get('service');
  const service = asked ?? apis?.[0]?.service ?? null;
  return {
    apis,
    // The list is in the database. Without it, the page can still show the API of this process.
    isReady: apis !== undefined || error !== null || asked !== null,
    service,
    isOwn: apis?.find((api) => api.service === service)?.isOwn ?? asked === null,
    choose: (chosen) => setSearch((before) => withParam(before, 'service', chosen ?? ''), { replace: true }),
  };
}

function apisOf({ ownApi, services }: ApisQuery, demo: boolean): KnownApi[] {
  const others = services.filter(({ name }) => name !== ownApi?.service);
  return [
    ...(ownApi ? [{ service: ownApi.service ?? null, title: titleOf(ownApi, demo), isOwn: true }] : []),
    ...others.map(({ name }) => ({ service: name, title: visibleText(name), isOwn: false })),
  ];
}

function titleOf({ service, upstream }: NonNullable<ApisQuery['ownApi']>, demo: boolean): string {
  if (service != null) return visibleText(service);
  if (demo) return commonText.api.sample;
  return upstream == null ? commonText.api.own : visibleText(upstream);
}
