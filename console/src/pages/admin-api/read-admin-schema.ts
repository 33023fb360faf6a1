import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
} from 'graphql';
import { AdminError, errorOfAnswer } from '../../api/admin-error.js';
import { postToAdmin } from '../../api/ask-admin.js';
import { commonText } from '../../text/common-text.js';

/** Reads the schema of the admin API from the API itself. @throws AdminError */
export async function readAdminSchema(signal: AbortSignal): Promise<GraphQLSchema> {
  const { status, body } = await postToAdmin({ query: getIntrospectionQuery(), variables: {} }, signal);
  const { data } = (body ?? {}) as { data?: IntrospectionQuery | null };
  // In the order of names, because people look for a name.
  if (data) return lexicographicSortSchema(buildClientSchema(data));
  throw errorOfAnswer(body) ?? new AdminError('UNREACHABLE', commonText.error.noData(status));
}
