import type { GraphQLField, GraphQLNamedType, GraphQLSchema } from 'graphql';
import { isInterfaceType, isObjectType } from 'graphql';
import { useId, useState } from 'react';
import { Icon } from '../../../parts/text/icon.js';
import { commonText } from '../../../text/common-text.js';
import { explorerText } from '../../../text/explorer-text.js';
import { Description, DocLink } from './doc-parts.js';
import { FieldDocs } from './field-docs.js';
import { searchSchema } from './search-schema.js';
import { TypeDocs } from './type-docs.js';

const { docs: text } = explorerText;

export interface SchemaDocsProps {
  schema: GraphQLSchema;
  /** Name of the protected API, whose prices are shown. Undefined: the schema has no prices. */
  service?: string | null | undefined;
  /** Coordinates that were opened: `Type` or `Type.field`. The last is shown. Empty: the start. */
  places: readonly string[];
  onPlaces(places: readonly string[]): void;
  /** Inserts a field into the operation. Returns false if there is no place for the field. */
  onInsert(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): boolean;
}

/** Shows the documentation of a schema: its types and fields with their prices, and a search. */
export function SchemaDocs({ schema, service, places, onPlaces, onInsert }: SchemaDocsProps) {
  const [search, setSearch] = useState('');
  const id = useId();
  const open = (place: string) => {
    setSearch('');
    onPlaces([...places, place]);
  };
  const [typeName = '', fieldName] = (places.at(-1) ?? '').split('.');
  const type = schema.getType(typeName);
  const field = fieldName !== undefined && (isObjectType(type) || isInterfaceType(type)) && type.getFields()[fieldName];
  return (
    <div className="docs">
      <div className="docs-head">
        {places.length > 0 && (
          <>
            <button
              type="button"
              className="icon-button"
              aria-label={text.back}
              title={text.back}
              onClick={() => onPlaces(places.slice(0, -1))}
            >
              <Icon name="left" />
            </button>
            <button type="button" className="button button-small button-quiet" onClick={() => onPlaces([])}>
              {text.start}
            </button>
          </>
        )}
        <label className="visually-hidden" htmlFor={id}>
          {text.search}
        </label>
        <input
          id={id}
          className="input"
          type="search"
          placeholder={text.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {search.trim() !== '' ? (
        <Found schema={schema} search={search} onOpen={open} />
      ) : type && field ? (
        <FieldDocs key={places.at(-1)} {...{ schema, service, type, field }} onOpen={open} onInsert={onInsert} />
      ) : type ? (
        <TypeDocs key={typeName} {...{ schema, service, type }} onOpen={open} />
      ) : (
        <Start schema={schema} onOpen={open} />
      )}
    </div>
  );
}

function Found({ schema, search, onOpen }: { schema: GraphQLSchema; search: string; onOpen(place: string): void }) {
  const { found, isCut } = searchSchema(schema, search);
  return (
    <div className="docs-body">
      {/* Screen readers announce the number, not the whole list after each key. */}
      <p className="muted small" role="status">
        {found.length === 0 ? text.notFound : isCut ? text.firstFound(found.length) : text.found(found.length)}
      </p>
      <ul className="docs-list">
        {found.map(({ coordinate, page, description }) => (
          <li key={coordinate}>
            <DocLink onClick={() => onOpen(page)}>{coordinate}</DocLink>
            <Description isShort>{description}</Description>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Start({ schema, onOpen }: { schema: GraphQLSchema; onOpen(place: string): void }) {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => !!type,
  );
  const others = Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !(roots as GraphQLNamedType[]).includes(type))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const list = (title: string, types: readonly GraphQLNamedType[]) => (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className="docs-list">
        {types.map((type) => (
          <li key={type.name}>
            <DocLink onClick={() => onOpen(type.name)}>{type.name}</DocLink>
            <Description isShort>{type.description}</Description>
          </li>
        ))}
      </ul>
    </section>
  );
  return (
    <div className="docs-body">
      {list(text.roots, roots)}
      {others.length === 0 ? <p className="muted">{commonText.none}</p> : list(text.types, others)}
    </div>
  );
}
