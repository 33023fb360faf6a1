import { type GraphQLField, type GraphQLNamedType, isObjectType } from 'graphql';
import { useState } from 'react';
import { Coordinate } from '../../../parts/text/coordinate.js';
import { explorerText } from '../../../text/explorer-text.js';
import { priceWords, sizeWords } from '../../fields/price-words.js';
import { Deprecated, Description, DocLink, Inputs, TypeLink } from './doc-parts.js';
import type { TypeDocsProps } from './type-docs.js';
import { useFieldCosts } from './use-field-costs.js';

const { docs: text } = explorerText;

export interface FieldDocsProps extends TypeDocsProps {
  field: GraphQLField<unknown, unknown>;
  onInsert(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): boolean;
}

/** Shows the documentation of a field: its type, arguments, price and list size. */
export function FieldDocs({ schema, service, type, field, onOpen, onInsert }: FieldDocsProps) {
  const costs = useFieldCosts(type.name, service, isObjectType(type));
  const [inserted, setInserted] = useState('');
  const cost = costs.data?.get(field.name);
  const size = cost && sizeWords(cost);
  const isRoot = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(
    type as ReturnType<typeof schema.getQueryType>,
  );
  return (
    <div className="docs-body">
      <h3>
        <Coordinate>{`${type.name}.${field.name}`}</Coordinate>
      </h3>
      <Description>{field.description}</Description>
      <Deprecated reason={field.deprecationReason} />
      <p className="form-actions">
        <button
          type="button"
          className="button button-small"
          onClick={() =>
            setInserted(
              onInsert(type, field) ? text.inserted : (isRoot ? text.notInOperation : text.notInSelection)(type.name),
            )
          }
        >
          {text.insert}
        </button>
        <span role="status" className="small muted">
          {inserted}
        </span>
      </p>
      <dl className="facts docs-facts">
        <dt>{text.returns}</dt>
        <dd>
          <TypeLink type={field.type} onOpen={onOpen} />
        </dd>
        <dt>{text.of}</dt>
        <dd>
          <DocLink onClick={() => onOpen(type.name)}>{type.name}</DocLink>
        </dd>
        {cost && (
          <>
            <dt>{text.cost}</dt>
            <dd>{priceWords(cost)}</dd>
          </>
        )}
        {cost && size !== undefined && (
          <>
            <dt>{text.listSize}</dt>
            <dd>
              {size}
              {(cost.sizeSource === 'DEFAULT' || cost.isSizeInferred) && (
                <>
                  {' '}
                  <span className="pill pill-warn">{text.guessed}</span>
                  <span className="small muted"> {text.guessedHint}</span>
                </>
              )}
            </dd>
          </>
        )}
      </dl>
      {!isObjectType(type) && service !== undefined && <p className="muted small">{text.pricedByObject}</p>}
      {field.args.length > 0 && (
        <section aria-label={text.arguments}>
          <h4>{text.arguments}</h4>
          <Inputs inputs={field.args} onOpen={onOpen} />
        </section>
      )}
    </div>
  );
}
