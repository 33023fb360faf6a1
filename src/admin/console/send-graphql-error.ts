import type { Response } from 'express';
import { GraphQLError } from 'graphql';
import { sendError } from '../../http/reject-request.js';

/** Sends a GraphQLError as the response. Throws every other error. */
export async function sendGraphqlError(response: Response, error: unknown): Promise<void> {
  if (!(error instanceof GraphQLError)) throw error;
  await sendError(response, error);
}
