import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { createDemoContext } from '../packages/platform/src/create-demo-schema.js';
import { createObjectNotes, type ObjectNotes } from '../src/runtime/create-object-notes.js';
import { createDemoSchema } from '../test/helpers/demo-schema.js';
import { subjectOf } from './decision/workload.js';
import type { Bench, Runner, Variant } from './frame/bench.js';
import type { BenchContext } from './http/protection.js';
import { tollgateInMemory } from './http/tollgate.js';

/** An operation that is new to the server. */
const newDocument = (n: number) => `query Q${n} { countries(first: 5) { name region { name } languages { name } } }`;
/** One whose response has about a hundred objects. */
const known = () => '{ countries(first: 20) { name borders { name } } }';

interface Notes {
  ofDocument: Pick<ObjectNotes<object, object>, 'get' | 'set'>;
  ofObject: Pick<ObjectNotes<object, string>, 'get' | 'set'>;
}

/**
 * Operations of the protected sample API, without HTTP, each with notes as Tollgate makes them besides its own: one about
 * every document, and where types are asked for (of some operations only) one about every object of the response.
 */
const variantOf =
  (createNotes: () => Notes): Variant =>
  async ({ warmUpMs, redisUrl }): Promise<Runner> => {
    const schema = createDemoSchema();
    const protection = await tollgateInMemory(schema, redisUrl);
    const notes = createNotes();
    let notesTypes = false;
    const noting: ApolloServerPlugin<BenchContext> = {
      requestDidStart: async () => ({
        async didResolveOperation({ document }) {
          notes.ofDocument.set(document, {});
        },
        async willSendResponse({ document, response }) {
          if (document) notes.ofDocument.get(document);
          if (!notesTypes || response.body.kind !== 'single') return;
          const { data } = response.body.singleResult;
          visitObjects(data, (object) => notes.ofObject.set(object, 'Country'));
          visitObjects(data, (object) => notes.ofObject.get(object));
        },
      }),
    };
    const server = new ApolloServer<BenchContext>({
      schema,
      plugins: [...protection.plugins, noting],
      logger: console,
    });
    await server.start();
    let sent = 0;

    const timed = (queryOf: (n: number) => string, types: boolean) => async (durationMs: number) => {
      notesTypes = types;
      const before = process.cpuUsage();
      const end = performance.now() + durationMs;
      let done = 0;
      for (; performance.now() < end; done++) {
        const contextValue = { ...createDemoContext(), subject: subjectOf(sent) };
        const { body } = await server.executeOperation({ query: queryOf(sent++) }, { contextValue });
        if (body.kind !== 'single' || body.singleResult.errors)
          throw new Error(`not answered: ${JSON.stringify(body)}`);
      }
      const { user, system } = process.cpuUsage(before);
      return { 'CPU us': (user + system) / done };
    };

    return {
      warmUpMs: 8 * warmUpMs,
      run: {
        'a new document': timed(newDocument, false),
        'types of a response of a hundred objects': timed(known, true),
      },
      async close() {
        await server.stop();
        await protection.close();
      },
    };
  };

function visitObjects(value: unknown, visit: (object: object) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) visitObjects(one, visit);
    return;
  }
  visit(value);
  for (const one of Object.values(value)) visitObjects(one, visit);
}

const nothing = { get: () => undefined, set: () => {} };

/** Decides whether src/runtime/create-object-notes.ts may be a WeakMap: it may where that is no more than 3 % of a request. */
export const bench: Bench = {
  title: 'notes about objects of others, in private fields and in WeakMaps, beside the request that makes them',
  metrics: [{ name: 'CPU us', better: 'lower' }],
  baselines: ['private fields'],
  variants: {
    'private fields': variantOf(() => ({ ofDocument: createObjectNotes(), ofObject: createObjectNotes() })),
    WeakMap: variantOf(() => ({ ofDocument: new WeakMap<object, object>(), ofObject: new WeakMap<object, string>() })),
    none: variantOf(() => ({ ofDocument: nothing, ofObject: nothing })),
  },
};
