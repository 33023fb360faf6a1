import type { GraphQLSchema } from 'graphql';
import type { CostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import { createCostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import type { Db } from '../../../postgres/db.js';
import { type DocumentPrice, priceDocument } from '../../../registry/price-document.js';
import { readDocumentPage, readVersionPage } from '../../../registry/read-version.js';
import { inSlices } from '../../../runtime/in-slices.js';
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
export async function checkDocuments(options: CheckOptions, { stdout, stderr }: CommandOutput): Promise<number> {
  const { documents, maxCost, maxIncrease } = options;
  const { schema, analyzer } = await openSchema(options);
  const before = await readEarlier(options, schema, analyzer);
  let failures = 0;
  const fail = (line: string) => {
    failures++;
    stderr.write(`${line}\n`);
  };
  let count = 0;
  const known = new Set<string>();
  for await (const { place, text } of inSlices(documents)) {
    count++;
    if (before.size > 0) known.add(nameOf(text));
    const price = priceDocument(text, schema, analyzer);
    for (const error of price.errors) fail(`${place}: ${error}`);
    if (price.errors.length > 0) continue;
    const earlier = before.get(nameOf(text));
    stdout.write(`${nameOf(text)}: ${describe(price)}${differenceTo(earlier, price)}\n`);
    if (maxCost !== undefined && (price.worstCase ?? Number.POSITIVE_INFINITY) > maxCost)
      fail(`${place}: ${nameOf(text)} costs ${describe(price)}, above ${maxCost}`);
    const increase = increaseOf(earlier, price);
    if (maxIncrease !== undefined && increase > maxIncrease)
      fail(
        `${place}: ${nameOf(text)} costs ${describe(price)} instead of ${describe(earlier!)}, above +${maxIncrease} %`,
      );
  }
  for (const name of before.keys()) if (!known.has(name)) stdout.write(`${name}: removed\n`);
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

/** Returns the prices of the earlier documents, by the names of their operations. */
async function readEarlier(
  { against, comparesWithLast, app, db }: CheckOptions,
  schema: GraphQLSchema,
  analyzer: CostAnalyzer,
): Promise<Map<string, DocumentPrice>> {
  const texts =
    against !== undefined
      ? readPushedDocuments(against).map(({ text }) => text)
      : comparesWithLast && app !== undefined && db !== undefined
        ? await readLastVersion(db, app)
        : [];
  const prices = new Map<string, DocumentPrice>();
  for await (const text of inSlices(texts)) {
    const price = priceDocument(text, schema, analyzer);
    if (price.errors.length === 0) prices.set(nameOf(text), price);
  }
  return prices;
}

async function readLastVersion(db: Db, app: string): Promise<string[]> {
  const [last] = await readVersionPage(db, { app, state: 'PUBLISHED' }, { before: Number.MAX_SAFE_INTEGER, limit: 1 });
  const texts: string[] = [];
  for (let after = 0; last; ) {
    const page = await readDocumentPage(db, last.number, { after, limit: 1000 });
    texts.push(...page.map(({ text }) => text));
    if (page.length < 1000) break;
    after = page.at(-1)!.number;
  }
  return texts;
}

/** Returns the name of the first operation, by which versions are compared. */
function nameOf(text: string): string {
  return /\b(?:query|mutation|subscription)\s+([_A-Za-z]\w*)/.exec(text)?.[1] ?? '(unnamed operation)';
}

function describe({ worstCase, unbounded }: DocumentPrice): string {
  if (worstCase !== null) return String(worstCase);
  return `unbounded, because ${unbounded.map((name) => `$${name}`).join(', ')} has no maximum`;
}

function increaseOf(before: DocumentPrice | undefined, after: DocumentPrice): number {
  if (before === undefined) return 0;
  const [from, to] = [before.worstCase ?? Number.POSITIVE_INFINITY, after.worstCase ?? Number.POSITIVE_INFINITY];
  if (to <= from) return 0;
  return from === 0 ? Number.POSITIVE_INFINITY : ((to - from) / from) * 100;
}

function differenceTo(before: DocumentPrice | undefined, after: DocumentPrice): string {
  if (before === undefined) return '';
  if (before.worstCase === after.worstCase) return ' (unchanged)';
  return ` (was ${before.worstCase ?? 'unbounded'})`;
}
