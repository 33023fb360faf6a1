import { z } from 'zod';

const headers = z.record(z.string(), z.string()).describe('Headers for the response to the client, by name.');
const extensions = z.record(z.string(), z.unknown()).describe('Extensions for the response to the client.');
const errors = z
  .array(z.looseObject({ message: z.string(), extensions: z.record(z.string(), z.unknown()).optional() }))
  .describe('Errors for the response to the client.');
const cost = z.int().min(0);

/** Shapes of the responses, for the OpenAPI document. */
export const decisionSchema = z.object({
  admitted: z.boolean().describe('Whether your server may execute the operation.'),
  status: z.int().describe('HTTP status of the response to a denied operation; 200 if it is admitted.'),
  headers,
  extensions,
  data: z.unknown().optional().describe('Data for the response, if the operation asked for its price only.'),
  errors: errors.optional(),
  receipt: z.string().optional().describe('Receipt for the settlement, if the operation is admitted.'),
  query: z.string().optional().describe('Text of the document to run, if the request has its id.'),
  cost: cost.nullable().describe('Estimated cost in tokens; null if the operation has no price.'),
  delayMs: z.number().min(0).describe('Time to wait before the operation runs, in milliseconds.'),
  degraded: z.boolean().describe('Whether the decision was made without Redis.'),
});

export const settlementSchema = z.object({
  settled: z.boolean().describe('Whether the charge was corrected by this request, or by the one that it repeats.'),
  reason: z
    .enum(['INVALID_RECEIPT', 'EXPIRED', 'ALREADY_SETTLED', 'DECIDED_ELSEWHERE', 'UNAVAILABLE'])
    .optional()
    .describe('Reason why nothing was corrected.'),
  repeated: z.boolean().describe('Whether an earlier request has settled the receipt.'),
  requestedCost: cost.nullable().describe('Estimated cost in tokens.'),
  actualCost: cost.nullable().describe('Actual cost in tokens; null if the estimate remains charged.'),
  headers,
  extensions,
});

export const peekSchema = z.looseObject({
  admitted: z.boolean(),
  verdict: z.string().describe('ADMITTED, DELAYED, or the code of the denial.'),
  cost,
  deniedBy: z.string().nullable(),
  retryAfterMs: z.number().nullable(),
  limits: z.array(z.looseObject({ rule: z.string(), limit: z.number(), remaining: z.number() })),
});

export const priceSchema = z.looseObject({
  cost,
  typeCost: cost,
  fieldCost: cost,
  nodes: cost,
  fields: z.array(z.looseObject({ coordinate: z.string() })),
});

export const failureSchema = z.looseObject({ errors: z.array(z.looseObject({ message: z.string() })) });
