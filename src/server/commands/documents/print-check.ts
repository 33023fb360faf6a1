import type { GraphQLSchema } from 'graphql';
import type { CostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import { createCostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import type { Db } from '../../../postgres/db.js';
import { byName, type CheckedDocument, checkDocuments, describePrice } from '../../../registry/check-documents.js';
import { priceDocument } from '../../../registry/price-document.js';
import { createVersionReader } from '../../../registry/read-version.js';
import { restoreSchema } from '../../../services/published-schema.js';
import { readPublishedSchema } from '../../../services/published-service.js';
import { readCostsFile } from '../../costs/costs-file.js';
import { readSchemaFiles } from '../cost/read-schema-files.js';
import { UsageError } from '../read-text.js';
import type { CommandOutput } from '../take-command-line.js';
import { type PlacedDocument, readPushedDocuments } from './read-pushed-documents.js';

interface CheckOptions {
  /** Documents to check. */
  documents: Iterable<PlacedDocument> | AsyncIterable<PlacedDocument>;
  schema: readonly string[] | undefined;
  costs: string | undefined;
  service: string | undefined;
  app: string | undefined;
  against: string | undefined;
  /** Whether the documents are compared with the last published version of the app. */
  comparesWithLast: boolean;
  maxCost: number | undefined;
  /** Largest allowed increase of a worst case, in percent. */
  maxIncrease: number | undefined;
  /** Returns the database; throws if DATABASE_URL is not set. Undefined without one. */
  db: Db | undefined;
}

/**
 * Checks documents on a schema, and prints their worst cases and the differences to earlier ones.
 * Resolves to the exit code.
 */
export async function printCheck(options: CheckOptions, { stdout, stderr }: CommandOutput): Promise<number> {
  const { schema, analyzer } = await openSchema(options);
  const earlier = await byName(earlierTexts(options));
  const known = new Set<string>();
  let count = 0;
  let failures = 0;
  const priceOf = (text: string) => priceDocument(text, schema, analyzer);
  for await (const checked of checkDocuments({ ...options, earlier, priceOf })) {
    count++;
    failures += checked.problems.length;
    if (earlier.size > 0) known.add(checked.name);
    if (checked.price.errors.length === 0) stdout.write(`${describe(checked)}\n`);
    for (const problem of checked.problems) stderr.write(`${checked.document.place}: ${problem}\n`);
  }
  for (const name of earlier.keys()) if (!known.has(name)) stdout.write(`${name}: removed\n`);
  stdout.write(`${count} documents checked, ${failures === 0 ? 'no problems' : `${failures} problems`}.\n`);
  return failures === 0 ? 0 : 1;
}

async function openSchema({
  schema,
  costs,
  service,
  db,
}: CheckOptions): Promise<{ schema: GraphQLSchema; analyzer: CostAnalyzer }> {
  if (service === undefined) {
    const read = readSchemaFiles(schema).schema;
    const prices = costs === undefined ? undefined : await readCostsFile(costs);
    return {
      schema: read,
      analyzer: createCostAnalyzer(read, prices && { overlay: prices.overlay, ...prices.inference }),
    };
  }
  if (db === undefined) throw new UsageError('--service: expected together with DATABASE_URL');
  if (schema !== undefined) throw new UsageError('--service and --schema: expected one of them, got both');
  const published = await readPublishedSchema(db, service);
  if (!published) throw new UsageError(`--service: no server has published a schema as ${service}`);
  return restoreSchema(published);
}

/** Yields the texts of the earlier version. */
async function* earlierTexts({ against, comparesWithLast, app, db }: CheckOptions): AsyncGenerator<string> {
  if (against !== undefined) for (const { text } of readPushedDocuments(against)) yield text;
  else if (comparesWithLast && app !== undefined && db !== undefined)
    for await (const { text } of createVersionReader(db).lastPublished(app)) yield text;
}

function describe({ name, price, before }: CheckedDocument<PlacedDocument>): string {
  const line = `${name}: ${describePrice(price)}`;
  if (before === undefined) return line;
  return `${line} ${before.worstCase === price.worstCase ? '(unchanged)' : `(was ${before.worstCase ?? 'unbounded'})`}`;
}
