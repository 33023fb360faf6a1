import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { visibleText } from '../../../parts/text/visible-text.js';
import { explorerText } from '../../../text/explorer-text.js';
import { CostLine, Deprecated, Description, DocLink, Inputs, TypeLink } from './doc-parts.js';
import { useFieldCosts } from './use-field-costs.js';

const { docs: text } = explorerText;

export interface TypeDocsProps {
  schema: GraphQLSchema;
  /** Name of the protected API, whose prices are shown. Undefined: the schema has no prices. */
  service?: string | null | undefined;
  type: GraphQLNamedType;
  onOpen(place: string): void;
}

/** Shows the documentation of a type, with the prices of its fields. */
export function TypeDocs({ schema, service, type, onOpen }: TypeDocsProps) {
  const costs = useFieldCosts(type.name, service, isObjectType(type));
  return (
    <div className="docs-body">
      <h3 className="mono">{type.name}</h3>
      <p className="muted small">{kindOf(type)}</p>
      <Description>{type.description}</Description>
      {isScalarType(type) && type.specifiedByURL && (
        <p className="docs-text mono">{visibleText(type.specifiedByURL, 200)}</p>
      )}
      {(isObjectType(type) || isInterfaceType(type)) && (
        <>
          <Types title={text.implements} types={type.getInterfaces()} onOpen={onOpen} />
          {isInterfaceType(type) && service !== undefined && <p className="muted small">{text.pricedByObject}</p>}
          <section aria-label={text.fields}>
            <h4>{text.fields}</h4>
            <ul className="docs-list">
              {Object.values(type.getFields()).map((field) => {
                const cost = costs.data?.get(field.name);
                return (
                  <li key={field.name}>
                    <DocLink onClick={() => onOpen(`${type.name}.${field.name}`)}>{field.name}</DocLink>
                    {field.args.length > 0 && (
                      <code className="muted">({field.args.map(({ name }) => name).join(', ')})</code>
                    )}
                    {': '}
                    <TypeLink type={field.type} onOpen={onOpen} />
                    {cost && <CostLine cost={cost} />}
                    <Description isShort>{field.description}</Description>
                    <Deprecated reason={field.deprecationReason} />
                  </li>
                );
              })}
            </ul>
          </section>
        </>
      )}
      {isAbstractType(type) && (
        <Types title={text.possibleTypes} types={schema.getPossibleTypes(type)} onOpen={onOpen} />
      )}
      {isInputObjectType(type) && (
        <section aria-label={text.fields}>
          <h4>{text.fields}</h4>
          <Inputs inputs={Object.values(type.getFields())} onOpen={onOpen} />
        </section>
      )}
      {isEnumType(type) && (
        <section aria-label={text.values}>
          <h4>{text.values}</h4>
          <ul className="docs-list">
            {type.getValues().map((value) => (
              <li key={value.name}>
                <code>{value.name}</code>
                <Description isShort>{value.description}</Description>
                <Deprecated reason={value.deprecationReason} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Types({
  title,
  types,
  onOpen,
}: {
  title: string;
  types: readonly GraphQLNamedType[];
  onOpen(place: string): void;
}) {
  if (types.length === 0) return null;
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      <ul className="docs-list">
        {types.map(({ name }) => (
          <li key={name}>
            <DocLink onClick={() => onOpen(name)}>{name}</DocLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function kindOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return text.kind.object;
  if (isInterfaceType(type)) return text.kind.interface;
  if (isAbstractType(type)) return text.kind.union;
  if (isEnumType(type)) return text.kind.enum;
  return isInputObjectType(type) ? text.kind.input : text.kind.scalar;
}
