import { here } from '../../api/here.js';
import type { OperationToSend } from './operation-to-send.js';

/**
 * Returns the shell command that sends an operation. The command reads the admin token from a shell
 * variable.
 */
export function curlOf({ query, variables, operationName }: OperationToSend): string {
  const body = JSON.stringify({
    query,
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(operationName !== undefined && { operationName }),
  });
  const url = `${window.location.origin}${here.graphql}`;
  const headers = `-H "authorization: Bearer $TOLLGATE_ADMIN_TOKEN" -H 'content-type: application/json'`;
  return `curl -s '${url}' ${headers} -d '${body.replaceAll("'", `'\\''`)}'`;
}
