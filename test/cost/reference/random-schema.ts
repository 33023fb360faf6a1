import type { Random } from './random.js';

const WEIGHTS = ['0', '1', '2', '3', '5', '7', '-1', '-3', '2.5'];

const SIZED_FIELDS = [
  ['list'],
  ['list', 'kids'],
  ['kids'],
  ['one { list }'],
  ['kids', 'one { list }', 'one { one { kids } }'],
];

interface FieldSpec {
  name: string;
  args: string[];
  type: string;
  annotations: string;
}

/**
 * Returns a schema that covers all cost rules, as SDL, without the definitions of the cost
 * directives.
 */
export function randomSchema(random: Random): string {
  const objects = ['A', 'B', 'C', 'D'].slice(0, 2 + random.below(3));
  const interfaces = ['I', 'J'].slice(0, 1 + random.below(2));
  const unions = random.chance(0.7) ? ['U'] : [];
  // `Page` contains a page list. `Wrap` leads to a `Page` directly, and `Deep` leads to it through
  // `Wrap`. `Fault` is a payload type without a page.
  const pages = ['Page', 'Wrap', 'Deep', 'Fault'];
  const composites = [...objects, ...interfaces, ...unions, ...random.some([...pages, 'Found'], 0.3)];
  const leaves = ['Int', 'String', 'Color', 'Json'];

  const cost = (probability: number): string =>
    random.chance(probability) ? ` @cost(weight: "${random.pick(WEIGHTS)}")` : '';

  /** Returns a cost annotation for a list argument. */
  const listCost = (probability: number): string =>
    cost(probability).replace(')', random.chance(0.5) ? ', perElement: true)' : ')');

  function outputType(isComposite: boolean): string {
    const named = isComposite ? random.pick(composites) : random.pick(leaves);
    const kind = random.below(10);
    if (kind < 5) return named + (random.chance(0.2) ? '!' : '');
    if (kind < 9) return random.chance(0.3) ? `[${named}!]!` : `[${named}]`;
    return `[[${named}]]`;
  }

  function argument(name: string, type: string, defaultValue: string | undefined): string {
    const weight = type.startsWith('[') ? listCost(0.4) : cost(0.2);
    return `${name}: ${type}${defaultValue === undefined ? '' : ` = ${defaultValue}`}${weight}`;
  }

  function field(name: string, isComposite: boolean, type = outputType(isComposite)): FieldSpec {
    const isList = type.startsWith('[');
    const args: string[] = [];
    const slicing: string[] = [];
    if (random.chance(0.5)) {
      args.push(argument('first', 'Int', random.chance(0.3) ? String(random.below(5)) : undefined));
      if (random.chance(0.7)) slicing.push('first');
    }
    if (random.chance(0.2)) {
      args.push(argument('last', 'Int', random.chance(0.2) ? '2' : undefined));
      if (random.chance(0.7)) slicing.push('last');
    }
    if (random.chance(0.2)) {
      args.push(argument('in', 'In', random.chance(0.3) ? '{ size: 2, flag: true }' : undefined));
      if (random.chance(0.5)) slicing.push('in.size');
    }
    if (random.chance(0.15)) {
      args.push(argument('ins', '[In]', random.chance(0.2) ? '[{ flag: true }, {}]' : undefined));
      if (random.chance(0.5)) slicing.push('ins');
    }
    const annotations = [cost(0.3)];
    const isSizing = isComposite && random.chance(isList ? 0.15 : 0.5);
    if ((isList && random.chance(0.7)) || isSizing) {
      const parts: string[] = [];
      if (random.chance(0.4)) parts.push(`assumedSize: ${random.below(4)}`);
      if (slicing.length > 0) parts.push(`slicingArguments: ${JSON.stringify(slicing)}`);
      if (isSizing) parts.push(`sizedFields: ${JSON.stringify(random.pick(SIZED_FIELDS))}`);
      if (random.chance(0.85)) parts.push(`requireOneSlicingArgument: ${random.chance(0.1)}`);
      if (parts.length > 0) annotations.push(` @listSize(${parts.join(', ')})`);
    }
    return { name, args, type, annotations: annotations.join('') };
  }

  /** Returns a field with arguments that size the lists below it. It may have no such lists. */
  function paged(name: string): FieldSpec {
    const type = random.pick([...pages, 'Found', 'Found!', 'A', 'I', '[Page]']);
    const args: string[] = [];
    if (random.chance(0.5)) args.push(argument(random.pick(['limit', 'perPage', 'take']), 'Int', undefined));
    if (random.chance(0.4)) args.push(argument('first', 'Int', random.chance(0.3) ? '2' : undefined));
    if (random.chance(0.3)) args.push(argument('page', 'Paging', random.chance(0.3) ? '{ skip: 1 }' : undefined));
    if (random.chance(0.4)) args.push(argument('ins', '[In]', undefined));
    return { name, args, type, annotations: cost(0.2) };
  }

  function page(): string[] {
    const item = (): string => random.pick(composites);
    const own = random.pick(['', '(first: Int)', '(last: Int = 2)', '(ins: [In])']);
    const annotated = random.chance(0.15) ? ' @listSize(assumedSize: 2)' : '';
    const list = `items${own}: [${item()}]${annotated}`;
    return [
      `type Page${cost(0.2)} { total: Int ${list} ${random.chance(0.3) ? `nodes: [${item()}!]` : ''} errors: [A] }`,
      `type Wrap { page: Page ${random.chance(0.3) ? `more: ${item()}` : ''} userErrors: [B!] }`,
      `type Deep${cost(0.2)} { wrap${random.pick(['', '(first: Int)'])}: ${random.pick(['Wrap', 'Wrap!', 'Found'])} }`,
      'type Fault { text: String }',
      `union Found = ${random
        .some(pages, 0.6)
        .concat('Page')
        .filter((each, at, all) => all.indexOf(each) === at)
        .join(' | ')}`,
    ];
  }

  const print = ({ name, args, type, annotations }: FieldSpec): string =>
    `  ${name}${args.length > 0 ? `(${args.join(', ')})` : ''}: ${type}${annotations}`;

  const fieldsOf = new Map<string, FieldSpec[]>();
  for (const name of interfaces) {
    const lower = name.toLowerCase();
    fieldsOf.set(name, [field(`${lower}Leaf`, false), field(`${lower}Node`, true)]);
  }
  const lines: string[] = [
    'directive @mark(level: Int, in: In @cost(weight: "3"), flat: Int = 1 @cost(weight: "-2")) on FIELD',
    'directive @cheap(by: Int @cost(weight: "-1")) on FIELD',
    `enum Color${cost(0.4)} { RED }`,
    `scalar Json${cost(0.4)}`,
    'directive @tag(names: [[String]] @cost(weight: "2", perElement: true)) on FIELD',
    `input In { size: Int${random.chance(0.2) ? ' = 3' : ''}${cost(0.3)} flag: Boolean${cost(0.5)} next: In${cost(0.4)} many: [In!]${listCost(0.3)} raw: Json${cost(0.3)} }`,
  ];
  for (const name of interfaces) {
    lines.push(`interface ${name} {\n${fieldsOf.get(name)!.map(print).join('\n')}\n}`);
  }
  for (const name of objects) {
    const implemented = random.some(interfaces, 0.6);
    // `list` and `kids` are always lists, so that `sizedFields` can name them; they may also have
    // their own size.
    const own = [
      field('leaf', false),
      field('list', true, `[${random.pick(composites)}]`),
      field('kids', true, `[${random.pick(composites)}!]`),
      field('one', true),
    ];
    const inherited = implemented.flatMap((each) =>
      fieldsOf.get(each)!.map((spec): FieldSpec => {
        // An implementation may have different annotations, or none.
        if (random.chance(0.4)) return { ...spec, annotations: random.chance(0.5) ? '' : cost(1) };
        return spec;
      }),
    );
    const implementing = implemented.length > 0 ? ` implements ${implemented.join(' & ')}` : '';
    lines.push(`type ${name}${implementing}${cost(0.4)} {\n${[...own, ...inherited].map(print).join('\n')}\n}`);
  }
  for (const name of unions)
    lines.push(
      `union ${name} = ${random
        .some(objects, 0.7)
        .concat(objects[0]!)
        .filter((each, at, all) => all.indexOf(each) === at)
        .join(' | ')}`,
    );
  lines.push('input Paging { skip: Int take: Int = 4 }', ...page());
  const roots = [field('q0', true), field('q1', true), field('q2', true), field('q3', false), paged('q4'), paged('q5')];
  lines.push(`type Query${cost(0.1)} {\n${roots.map(print).join('\n')}\n}`);
  const mutations = [field('m0', true), field('m1', false), paged('m2'), paged('m3')];
  lines.push(`type Mutation {\n${mutations.map(print).join('\n')}\n}`);
  return lines.join('\n');
}
