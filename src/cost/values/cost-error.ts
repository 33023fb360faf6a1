import { type ASTNode, GraphQLError } from 'graphql';
import { ERRORS, type ErrorCode } from '../../model/errors.js';

/** The codes under which the engine refuses an operation. */
type CostErrorCode = Extract<
  ErrorCode,
  'COST_SLICING_ARGUMENT' | 'MAX_LIST_SIZE_EXCEEDED' | 'OPERATION_TOO_COMPLEX' | 'BAD_USER_INPUT'
>;

interface CostErrorDetails {
  nodes?: readonly ASTNode[] | undefined;
  /** Response names from the root of the operation to the field. */
  path?: readonly string[] | undefined;
  cause?: unknown;
  /** What the message starts with. @default the message of the code */
  headline?: string;
  /** What stands in `extensions` beside the code. */
  extensions?: Readonly<Record<string, unknown>>;
}

/** What the engine throws: a GraphQLError with the code, and the HTTP status, of the table of errors. */
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
