import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type OperationTypeNode,
} from 'graphql';
import { useState } from 'react';
import { Card } from '../../parts/card.js';
import { adminApiText } from '../../text/admin-api-text.js';

const { schema: text } = adminApiText;

/** A line of the list: a field, an argument, a value or a type. */
interface Line {
  name: string;
  args?: readonly GraphQLArgument[];
  type?: GraphQLOutputType | GraphQLInputField['type'];
  description?: string | null | undefined;
  deprecationReason?: string | null | undefined;
}

/** Shows the operations of a schema or the members of one of its types, with descriptions. */
export function SchemaCard({ schema }: { schema: GraphQLSchema }) {
  const [shown, setShown] = useState<string>();
  const [filter, setFilter] = useState('');
  const type = shown === undefined ? undefined : schema.getType(shown);
  const open = (name: string | undefined) => {
    setShown(name);
    setFilter('');
  };
  const wanted = filter.trim().toLowerCase();
  const sections = (type ? membersOf(schema, type) : rootsOf(schema))
    .map(({ title, lines }) => ({ title, lines: lines.filter(({ name }) => name.toLowerCase().includes(wanted)) }))
    .filter(({ lines }) => lines.length > 0);
  return (
    <Card
      title={type ? <code>{type.name}</code> : text.title}
      aside={
        type && (
          <button type="button" className="button button-small" onClick={() => open(undefined)}>
            {text.back}
          </button>
        )
      }
    >
      <div className="card-body schema">
        <input
          className="input"
          type="search"
          placeholder={text.filter}
          aria-label={text.filter}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        {type?.description && <p>{type.description}</p>}
        {sections.map(({ title, lines }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <ul className="schema-list">
              {lines.map((line) => (
                <SchemaLine key={line.name} line={line} onOpen={open} />
              ))}
            </ul>
          </section>
        ))}
        {wanted !== '' && sections.length === 0 && <p className="muted">{text.noMatch}</p>}
      </div>
    </Card>
  );
}

function SchemaLine({ line, onOpen }: { line: Line; onOpen(name: string): void }) {
  const { name, args = [], type, description, deprecationReason } = line;
  return (
    <li>
      <code>
        {name}
        {args.length > 0 && '('}
        {args.map((arg, at) => (
          <span key={arg.name} title={arg.description ?? undefined}>
            {at > 0 && ', '}
            {arg.name}: <TypeLink type={arg.type} onOpen={onOpen} />
          </span>
        ))}
        {args.length > 0 && ')'}
        {type && ': '}
        {type && <TypeLink type={type} onOpen={onOpen} />}
      </code>
      {description && <p className="muted small">{description}</p>}
      {deprecationReason && <p className="small">{text.deprecated(deprecationReason)}</p>}
    </li>
  );
}

function TypeLink({ type, onOpen }: { type: NonNullable<Line['type']>; onOpen(name: string): void }) {
  return (
    <button type="button" className="schema-type" onClick={() => onOpen(getNamedType(type).name)}>
      {String(type)}
    </button>
  );
}

function rootsOf(schema: GraphQLSchema): { title: string; lines: Line[] }[] {
  return Object.entries(text.roots).map(([root, title]) => ({
    title,
    lines: Object.values(schema.getRootType(root as OperationTypeNode)?.getFields() ?? {}),
  }));
}

function membersOf(schema: GraphQLSchema, type: GraphQLNamedType): { title: string; lines: Line[] }[] {
  const { fields, values, types } = text.kinds;
  if (isEnumType(type)) return [{ title: values, lines: [...type.getValues()] }];
  const possible = isAbstractType(type)
    ? [{ title: types, lines: schema.getPossibleTypes(type).map((one) => ({ name: one.name, type: one })) }]
    : [];
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return possible;
  return [{ title: fields, lines: Object.values<Line>(type.getFields()) }, ...possible];
}
