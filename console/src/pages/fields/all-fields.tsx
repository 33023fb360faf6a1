import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { SchemaFieldsDocument, type SchemaFieldsQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { OrderSelect, useOrder } from '../../parts/form/order-select.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Coordinate } from '../../parts/text/coordinate.js';
import { short, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { fieldsText } from '../../text/fields-text.js';
import { explorerPath } from './explorer-path.js';
import { hasOwnPrice, priceWords, sizeWords } from './price-words.js';

const { all } = fieldsText;
const { column } = commonText;

type Field = SchemaFieldsQuery['schemaFields']['nodes'][number];

const ORDERS = { COORDINATE: all.byCoordinate, COST: all.byCost } as const;

const typeOf = ({ coordinate }: Field) => coordinate.split('.')[0]!;

/** Shows the fields of the schema in force with their prices, by type or by cost. */
export function AllFields({ service }: { service: string | null }) {
  const [search] = useSearchParams();
  const startsWith = search.get('field') || null;
  const orderBy = useOrder(ORDERS, 'COORDINATE');
  const query = useAdmin(SchemaFieldsDocument, { startsWith, service, orderBy, after: search.get('after') });
  return (
    <>
      <search className="filters">
        <FilterField name="field" label={all.startsWith} />
        <OrderSelect orders={ORDERS} value={orderBy} />
      </search>
      <Card
        title={all.title}
        aside={query.data?.schemaFields.totalCount != null && all.count(whole(query.data.schemaFields.totalCount))}
      >
        <Load query={query} rows={8}>
          {({ schemaFields }) => (
            <>
              <DataTable
                name="fields"
                rows={schemaFields.nodes}
                columns={COLUMNS}
                keyOf={({ coordinate }) => coordinate}
                {...(orderBy === 'COORDINATE' && { groupOf: typeOf })}
                next={schemaFields.pageInfo.hasNextPage ? (schemaFields.pageInfo.endCursor ?? null) : null}
                actions={(field) => links(field, service)}
                empty={<Empty title={all.empty}>{commonText.caseSensitive}</Empty>}
              />
              {schemaFields.nodes.length > 0 && <p className="card-note">{all.costHint}</p>}
            </>
          )}
        </Load>
      </Card>
    </>
  );
}

function costText({ cost, isComputed }: Field) {
  if (cost != null) return short(cost);
  return <span className="muted">{isComputed ? all.computed : all.byParent}</span>;
}

function links(field: Field, service: string | null) {
  const path = explorerPath(field, service);
  return (
    path && (
      <Link className="button button-small" href={path}>
        {commonText.explain}
      </Link>
    )
  );
}

const COLUMNS: Column<Field>[] = [
  {
    title: column.field,
    value: ({ coordinate }) => coordinate,
    show: ({ coordinate, type }) => (
      <>
        <Coordinate>{coordinate}</Coordinate> <span className="tag mono">{visibleText(type)}</span>
      </>
    ),
  },
  {
    title: column.cost,
    value: ({ cost }) => cost,
    show: (field) => costText(field),
    isNumber: true,
  },
  {
    title: column.price,
    value: priceWords,
    show: (field) => <span className={hasOwnPrice(field) ? '' : 'muted'}>{priceWords(field)}</span>,
  },
  {
    title: all.listSize,
    value: ({ assumedSize }) => assumedSize,
    show: (field) => {
      const words = sizeWords(field);
      return words && (field.sizeSource === 'DEFAULT' ? <span className="pill pill-warn">{words}</span> : words);
    },
  },
  {
    title: column.rules,
    value: ({ rules }) => rules.map(({ name }) => name).join(' '),
    show: ({ rules }) =>
      rules.map(({ name, field, mode }) => (
        <div key={name}>
          <Link href={`/rule?${new URLSearchParams({ name })}`}>
            <Name>{name}</Name>
          </Link>{' '}
          <span className="tag">
            {visibleText(field)}, {commonText.modes[mode]}
          </span>
        </div>
      )),
  },
];
