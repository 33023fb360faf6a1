import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type DocumentNode, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createDemoSchema } from '../helpers/demo-schema.js';
import { codeBlocks, ROOT } from './documents.js';

// These tests validate the documented operations, because readers paste them. The operations of
// docs/cost-model.md use another schema, and test/cost/docs.test.ts prices them.

const SDL = readFileSync(join(ROOT, 'schema/admin.graphql'), 'utf8');
const admin = buildSchema(SDL);
const sample = createDemoSchema();

const mistakesOf = (schema: GraphQLSchema, document: DocumentNode) =>
  validate(schema, document).map(({ message }) => message);

const isOperation = (document: DocumentNode) =>
  document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);

describe('operations in the documentation', () => {
  const blocks = codeBlocks().filter(({ place }) => !place.startsWith('docs/cost-model.md'));
  const shown = [
    ...blocks
      .filter(({ language }) => language === 'graphql')
      .map(({ place, code }) => ({ place, schema: admin, document: parse(code) }))
      .filter(({ document }) => isOperation(document)),
    // Operations in the body of a request on a command line.
    ...blocks.flatMap(({ place, code }) =>
      [...code.matchAll(/-d '(\{"query".*\})'/g)].map(([, body]) => ({
        place,
        schema: code.includes('/admin/graphql') ? admin : sample,
        document: parse(JSON.parse(body!).query),
      })),
    ),
  ];

  it('the documented operations are valid for the admin API, or for the sample API if they are sent to it', () => {
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.map(({ place, schema, document }) => [place, mistakesOf(schema, document)])).toEqual(
      shown.map(({ place }) => [place, []]),
    );
  });
});

describe('descriptions of the admin API', () => {
  /** Pieces of GraphQL with a selection between backticks: an operation, or one field of a root. */
  const pieces = [...SDL.matchAll(/`([^`\n]*\{[^`\n]*\})`/g)]
    .map(([, text]) => text!)
    .filter((text) => /^(?:\{ |\w+ \{|\w+(?:\(.*\))? \{ )/.test(text));

  it('operations in descriptions are valid for the admin API or the sample API', () => {
    expect(pieces.length).toBeGreaterThan(3);
    const wrong = pieces.filter((text) => {
      const forms = [text, `{ ${text} }`, `mutation { ${text} }`].flatMap((form) => {
        try {
          return [parse(form)];
        } catch {
          return [];
        }
      });
      return !forms.some((document) => [admin, sample].some((schema) => mistakesOf(schema, document).length === 0));
    });
    expect(wrong).toEqual([]);
  });
});
