import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isUnionType,
} from 'graphql';
import type { Random } from './random.js';

export interface RandomOperation {
  text: string;
  variables: Record<string, unknown>;
}

const VARIABLES = `$b0: Boolean!, $b1: Boolean!, $b2: Boolean = true, $n0: Int, $n1: Int = 3, $n2: Int!, $in0: In, $in1: In = { size: 1, next: { flag: true } }, $ins0: [In], $f: Boolean`;

/**
 * Returns an operation on a schema of `randomSchema`, with variables of the right types. Most of
 * these operations are valid.
 */
export function randomOperation(random: Random, schema: GraphQLSchema): RandomOperation {
  const composites = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLCompositeType => isCompositeType(type) && !type.name.startsWith('__'),
  );
  const inner = composites.filter((type) => type !== schema.getQueryType() && type !== schema.getMutationType());
  const fragmentTypes = random.chance(0.6) ? [random.pick(inner), random.pick(inner), random.pick(inner)] : [];
  let budget = 60;

  const related = (type: GraphQLCompositeType): GraphQLCompositeType[] =>
    inner.filter((other) => {
      const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
      const others = isAbstractType(other) ? schema.getPossibleTypes(other) : [other];
      return possible.some((each) => others.includes(each));
    });

  function condition(): string {
    if (!random.chance(0.25)) return '';
    const value = random.pick(['$b0', '$b1', '$b2', '$b0', 'true', 'false']);
    const first = random.pick(['include', 'skip']);
    const one = ` @${first}(if: ${value})`;
    return random.chance(0.15)
      ? `${one} @${first === 'skip' ? 'include' : 'skip'}(if: ${random.pick(['$b0', '$b1'])})`
      : one;
  }

  function mark(): string {
    if (!random.chance(0.06)) return '';
    return random.pick([
      ' @mark',
      ' @mark(level: 1)',
      ' @mark(in: { flag: true })',
      ' @mark(in: $in0)',
      ' @tag(names: [["a", null], [], null])',
      ' @tag(names: "a")',
      ' @cheap(by: 1)',
      ' @cheap(by: $n0)',
      ' @cheap',
    ]);
  }

  function inputObject(depth: number): string {
    const fields: string[] = [];
    if (random.chance(0.5)) fields.push(`size: ${random.pick(['0', '2', '4', 'null', '$n0', '$n1'])}`);
    if (random.chance(0.4)) fields.push(`flag: ${random.pick(['true', 'null', '$f'])}`);
    if (depth > 0 && random.chance(0.3)) fields.push(`next: ${inputObject(depth - 1)}`);
    if (depth > 0 && random.chance(0.3)) fields.push(`many: [${inputObject(depth - 1)}, ${inputObject(0)}]`);
    if (random.chance(0.1)) fields.push('raw: { flag: [1, 2] }');
    return `{ ${fields.join(', ')} }`;
  }

  function value({ name }: GraphQLArgument): string {
    if (name === 'in') return random.pick(['null', '$in0', '$in1', inputObject(2), inputObject(1), inputObject(0)]);
    if (name === 'ins') return random.pick(['null', '$ins0', '[]', inputObject(1), `[${inputObject(1)}, null, $in0]`]);
    if (name === 'page') return random.pick(['null', '{}', '{ take: 2 }', '{ take: -1 }', '{ take: $n0, skip: 1 }']);
    return random.pick(['null', '0', '1', '2', '3', '-2', '$n0', '$n1', '$n2']);
  }

  function selections(type: GraphQLCompositeType, depth: number, firstFragment: number): string {
    const parts: string[] = [];
    const count = 1 + random.below(3);
    for (let i = 0; i < count; i++) {
      budget--;
      const kind = random.below(10);
      if (kind < 5 && !isUnionType(type)) parts.push(field(type, depth, firstFragment));
      else if (kind < 7 && budget > 0) {
        const on = random.chance(0.2) ? undefined : random.pick([...related(type), type]);
        parts.push(
          `...${on ? ` on ${on.name}` : ''}${condition()} { ${selections(on ?? type, depth, firstFragment)} }`,
        );
      } else if (kind < 9) {
        const usable = fragmentTypes.flatMap((each, at) =>
          at >= firstFragment && related(type).includes(each) ? [at] : [],
        );
        if (usable.length > 0) parts.push(`...F${random.pick(usable)}${condition()}`);
      } else parts.push('__typename');
    }
    return parts.length > 0 ? parts.join(' ') : '__typename';
  }

  function field(type: GraphQLCompositeType, depth: number, firstFragment: number): string {
    const fields = isUnionType(type) ? [] : Object.values(type.getFields());
    const leaves = fields.filter((each) => !isCompositeType(getNamedType(each.type)));
    const candidates = depth > 0 && budget > 0 ? fields : leaves;
    if (candidates.length === 0) return '__typename';
    const chosen = random.pick(candidates);
    const args = random.some(chosen.args, 0.6).map((each) => `${each.name}: ${value(each)}`);
    const written = args.length > 0 ? `(${args.join(', ')})` : '';
    // Equal calls usually share a response name, and must be merged.
    const alias =
      written === '' && random.chance(0.8) ? '' : `${chosen.name}_${hash(written)}${random.pick(['', '', 'x'])}: `;
    const named = getNamedType(chosen.type);
    const below = isCompositeType(named) ? ` { ${selections(named, depth - 1, firstFragment)} }` : '';
    return `${alias}${chosen.name}${written}${condition()}${mark()}${below}`;
  }

  const isMutation = random.chance(0.15);
  const root = (isMutation ? schema.getMutationType() : schema.getQueryType())!;
  const body = selections(root, 4, 0);
  const fragments = fragmentTypes.map((type, at) => {
    // Each fragment spreads only later fragments, so that there are no cycles.
    return `fragment F${at} on ${type.name} { ${selections(type, 2, at + 1)} }`;
  });
  const text = `${isMutation ? 'mutation' : 'query'} Q(${VARIABLES}) { ${body} }\n${fragments.join('\n')}`;

  const variables: Record<string, unknown> = { b0: random.chance(0.5), b1: random.chance(0.5), n2: random.below(4) };
  if (random.chance(0.4)) variables['b2'] = random.chance(0.5);
  for (const name of ['n0', 'n1']) {
    if (random.chance(0.7)) variables[name] = random.pick([null, 0, 1, 2, 5, -3]);
  }
  if (random.chance(0.4)) variables['f'] = random.pick([null, true]);
  if (random.chance(0.6)) variables['in0'] = random.pick([null, randomInput(random, 2), randomInput(random, 1)]);
  if (random.chance(0.3)) variables['in1'] = randomInput(random, 1);
  if (random.chance(0.5))
    variables['ins0'] = random.pick([null, [], randomInput(random, 1), [randomInput(random, 1), null]]);
  return { text, variables };
}

function randomInput(random: Random, depth: number): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  if (random.chance(0.5)) value['size'] = random.pick([null, 0, 2, 4]);
  if (random.chance(0.5)) value['flag'] = random.pick([null, true, false]);
  if (depth > 0 && random.chance(0.5)) value['next'] = randomInput(random, depth - 1);
  if (depth > 0 && random.chance(0.4)) value['many'] = [randomInput(random, depth - 1), randomInput(random, 0)];
  if (random.chance(0.2)) value['raw'] = { flag: [1, { flag: 2 }] };
  return value;
}

function hash(text: string): string {
  let state = 7;
  for (const char of text) state = (state * 31 + char.charCodeAt(0)) >>> 0;
  return state.toString(36);
}
