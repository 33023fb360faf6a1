import { type DocumentNode, execute, parse } from 'graphql';
import { createAdminContext } from '../../src/admin/context/admin-context.js';
import { createAdminSchema } from '../../src/admin/create-admin-schema.js';
import { type AdministeredTollgate, sourcesOf } from '../../src/admin/sources-of.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';

export interface ListedStream {
  id: string;
  kind: string;
  caller: { user: string | null };
  client: string | null;
  operation: string | null;
  transport: string;
  instance: string;
  events: number;
  cost: number;
}

const LIST = parse(/* GraphQL */ `
  query ($first: Int!, $after: String, $filter: OpenStreamFilter) {
    openStreams(first: $first, after: $after, filter: $filter) {
      totalCount
      processes
      pageInfo { hasNextPage endCursor }
      nodes { id kind caller { user tenant ip } operation client transport instance since events cost }
    }
  }
`);
const END = parse(/* GraphQL */ `
  mutation ($input: OpenStreamsEndInput!) {
    openStreamsEnd(input: $input) { ended warnings userErrors { code field message } }
  }
`);

interface StreamList {
  totalCount: number;
  processes: number;
  pageInfo: { hasNextPage: boolean; endCursor: string };
  nodes: ListedStream[];
}

interface StreamsEnd {
  ended: number | null;
  warnings: string[];
  userErrors: object[];
}

/** Lists and ends open streams through the admin API of a Tollgate. */
export function streamsAdmin(tollgate: AdministeredTollgate) {
  const sources = sourcesOf({ tollgate });
  const schema = createAdminSchema(sources);

  async function send(document: DocumentNode, variableValues: object, role: 'VIEWER' | 'OPERATOR' = 'OPERATOR') {
    const contextValue = createAdminContext({ actor: { name: 'olga', authMethod: 'ADMIN_TOKEN' }, role }, sources);
    const result = await execute({ schema, document, contextValue, variableValues: { ...variableValues } });
    return JSON.parse(JSON.stringify(result));
  }

  async function list(filter: object = {}, page: object = {}): Promise<StreamList> {
    const { data, errors } = await send(LIST, { first: 100, filter, ...page }, 'VIEWER');
    if (errors) throw new Error(JSON.stringify(errors));
    return data.openStreams;
  }

  return {
    list,
    async end(input: object): Promise<StreamsEnd> {
      const { data, errors } = await send(END, { input });
      if (errors) throw new Error(JSON.stringify(errors));
      return data.openStreamsEnd;
    },
    /** Sends the mutation as an administrator who may only read. */
    endAsViewer: (input: object) => send(END, { input }, 'VIEWER'),
    /**
     * Waits until `count` streams are listed. A subscription begins after its message, and a list does
     * not wait for processes that a busy machine delays. Processes of other tests may share the Redis.
     */
    async listed(count: number, filter: object, processes = 2, page: object = {}): Promise<StreamList> {
      let found = await list(filter, page);
      await until(
        `${count} streams are listed`,
        async () => {
          found = await list(filter, page);
          return found.totalCount === count && found.processes >= processes;
        },
        PATIENT_MS,
      );
      return found;
    },
  };
}
