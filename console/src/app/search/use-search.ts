import { useMemo } from 'react';
import { serverNow } from '../../api/server-clock.js';
import { useAdmin } from '../../api/use-admin.js';
import {
  SearchDocument,
  SearchedOperationsDocument,
  type SearchedOperationsQuery,
  type SearchQuery,
  type UsageFilter,
} from '../../generated/graphql.js';
import { useSettled } from '../../parts/form/use-settled.js';
import { rangeInput, readRange } from '../../parts/range/shown-range.js';
import { callerPath } from '../../parts/text/caller-path.js';
import { commonText } from '../../text/common-text.js';
import { shellText } from '../../text/shell-text.js';
import { routesFor } from '../console-routes.js';
import { useMay, useSession } from '../login/session-context.js';

/** A result of the search. */
export interface Found {
  /** Identifier, unique among all results. */
  id: string;
  /** Name of the object. Callers and clients may have chosen it. */
  name: string;
  /** Words that describe the object. */
  note?: string | undefined;
  /** Path of the page to open. */
  path: string;
}

/** The results of one kind. */
export interface FoundGroup {
  title: string;
  items: Found[];
}

/** Maximum number of results of each kind. */
const MOST = 6;

const { search: text } = shellText;

/**
 * Returns the results for a text, by kind. Pages and actions are found at once. The admin API finds
 * callers, rules and operations, once the user pauses.
 */
export function useSearch(typed: string) {
  const wanted = searchable(typed);
  const settled = useSettled(wanted);
  const day = useMemo(() => rangeInput(readRange(null, serverNow(), '24h')), []);
  const operations = useAdmin(SearchedOperationsDocument, { day });
  const variables = { text: settled, caller: callerWithName(settled), day };
  const query = useAdmin(SearchDocument, variables, { enabled: settled !== '' });
  const local = useLocalResults(wanted.toLowerCase());
  const groups = [
    ...local,
    ...(wanted === ''
      ? []
      : [
          { title: text.callers, items: callersIn(query.data, wanted) },
          { title: text.rules, items: rulesIn(query.data, wanted) },
          { title: text.operations, items: operationsIn(operations.data, query.data, wanted) },
        ]),
  ];
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isSearching: wanted !== '' && (wanted !== settled || query.isFetching),
    error: wanted === '' ? operations.error : (query.error ?? operations.error),
  };
}

/**
 * Returns the text to search for. PostgreSQL cannot store NUL and halves of surrogate pairs, so no
 * name contains them.
 */
function searchable(typed: string): string {
  return typed.replace(/[\0\p{Surrogate}]/gu, '').trim();
}

/**
 * Returns the filter for a caller that has traffic, and perhaps no stored entry. It needs the
 * complete name: no index contains the names of these callers by prefix.
 */
function callerWithName(name: string): UsageFilter {
  const isAddress = /^[\da-f.:/]+$/i.test(name) && /[.:]/.test(name);
  return isAddress ? { ip: name } : { user: name };
}

function useLocalResults(wanted: string): FoundGroup[] {
  const { role } = useSession();
  const mayChange = useMay()('ADMIN');
  const pages = routesFor(role).flatMap(({ nav, title, path }) =>
    nav ? [{ id: `page ${path}`, name: title, note: nav.key && text.pageKey(nav.key), path }] : [],
  );
  const actions = mayChange
    ? [
        { id: 'new rule', name: text.newRule, path: '/rule-form' },
        { id: 'new tier', name: text.newTier, path: '/tier-form' },
      ]
    : [];
  const matching = (items: Found[]) => items.filter(({ name }) => name.toLowerCase().includes(wanted));
  return [
    { title: text.pages, items: matching(pages) },
    { title: text.actions, items: matching(actions) },
  ];
}

/**
 * Returns the stored callers, then callers that only have traffic. The response may belong to an
 * earlier text, so it is filtered again.
 */
function callersIn(data: SearchQuery | undefined, wanted: string): Found[] {
  if (!data) return [];
  const found = new Map<string, Found>();
  const both = [...data.subjects.nodes, ...data.callersWithTraffic.nodes.map((one) => ({ ...one, tier: null }))];
  for (const { caller, tier } of both) {
    const { name, tenant, kind } = caller;
    const path = callerPath(caller);
    if (!path || !name?.startsWith(wanted) || found.has(path)) continue;
    const note = describe(commonText.callerKinds[kind], kind === 'TENANT' ? null : tenant, tier?.name);
    found.set(path, { id: `caller ${path}`, name, path, note });
  }
  return [...found.values()].slice(0, MOST);
}

function describe(kind: string, tenant: string | null | undefined, tier: string | undefined): string {
  return [kind, tenant && text.ofTenant(tenant), tier && text.inTier(tier)].filter(Boolean).join(' · ');
}

function rulesIn(data: SearchQuery | undefined, wanted: string): Found[] {
  return (data?.rules.nodes ?? [])
    .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
    .map(({ name, field, mode }) => ({
      id: `rule ${name}`,
      name,
      note: `${field} · ${commonText.modes[mode]}`,
      path: `/rule?${new URLSearchParams({ name })}`,
    }));
}

/** Returns the operations of the last day with the highest cost, and the operation of this name. */
function operationsIn(
  operations: SearchedOperationsQuery | undefined,
  data: SearchQuery | undefined,
  wanted: string,
): Found[] {
  const all = [...(data?.operation.nodes ?? []), ...(operations?.topOperations.nodes ?? [])];
  const found = new Map<string, Found>();
  for (const { operation } of all) {
    const { name, type } = operation;
    if (!name?.toLowerCase().includes(wanted.toLowerCase())) continue;
    const path = `/operations?${new URLSearchParams({ operation: name })}`;
    found.set(name, { id: `operation ${name}`, name, note: commonText.operationType(type), path });
  }
  return [...found.values()].slice(0, MOST);
}
