import type { Response } from 'express';
import { GraphQLError } from 'graphql';
import { sendError } from '../../http/reject-request.js';

/** Answers with the GraphQLError of a refusal; throws all other errors. */
export async function sendRefusal(response: Response, error: unknown): Promise<void> {
  if (!(error instanceof GraphQLError)) throw error;
  await sendError(response, error);
}
