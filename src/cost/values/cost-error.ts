import { type ASTNode, GraphQLError } from 'graphql';
import { ERRORS, type ErrorCode } from '../../model/errors.js';

/** Codes of the errors with which the cost analyzer rejects an operation. */
type CostErrorCode = Extract<
  ErrorCode,
  'COST_SLICING_ARGUMENT' | 'MAX_LIST_SIZE_EXCEEDED' | 'OPERATION_TOO_COMPLEX' | 'BAD_USER_INPUT'
>;

interface CostErrorDetails {
  nodes?: readonly ASTNode[] | undefined;
  /** Response names from the root of the operation to the field. */
  path?: readonly string[] | undefined;
  cause?: unknown;
  /** Start of the message. @default the message of the code */
  headline?: string;
  /** Entries of `extensions` in addition to the code. */
  extensions?: Readonly<Record<string, unknown>>;
}

/**
 * Error with which the cost analyzer rejects an operation: a GraphQLError with a code and the HTTP
 * status of this code in `ERRORS`.
 */
export class CostError extends GraphQLError {
  readonly code: CostErrorCode;

  constructor(
    code: CostErrorCode,
    detail: string,
    { nodes, path, cause, headline, extensions }: CostErrorDetails = {},
  ) {
    super(`${headline ?? ERRORS[code].message}: ${detail}`, {
      nodes: nodes ?? null,
      path: path ?? null,
      originalError: cause instanceof Error ? cause : null,
      extensions: { code, ...extensions, http: { status: ERRORS[code].status } },
    });
    this.name = 'CostError';
    this.code = code;
    if (cause !== undefined) this.cause = cause;
  }
}
