import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { SchemaFieldsDocument, type SchemaFieldsQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Coordinate } from '../../parts/text/coordinate.js';
import { whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { fieldsText } from '../../text/fields-text.js';
import { explorerPath } from './explorer-path.js';
import { priceWords, sizeWords } from './price-words.js';

const { all } = fieldsText;
const { column } = commonText;

type Field = SchemaFieldsQuery['schemaFields']['nodes'][number];

/** Fields of the schema in force, by coordinate. */
export function AllFields({ service }: { service: string | null }) {
  const [search] = useSearchParams();
  const startsWith = search.get('field') || null;
  const query = useAdmin(SchemaFieldsDocument, { startsWith, service, after: search.get('after') });
  return (
    <>
      <search className="filters">
        <FilterField name="field" label={all.startsWith} />
      </search>
      <Card
        title={all.title}
        aside={query.data?.schemaFields.totalCount != null && all.count(whole(query.data.schemaFields.totalCount))}
      >
        <Load query={query} rows={8}>
          {({ schemaFields }) => (
            <DataTable
              name="fields"
              rows={schemaFields.nodes}
              columns={COLUMNS}
              keyOf={({ coordinate }) => coordinate}
              next={schemaFields.pageInfo.hasNextPage ? (schemaFields.pageInfo.endCursor ?? null) : null}
              actions={(field) => links(field, service)}
              empty={<Empty title={all.empty}>{commonText.caseSensitive}</Empty>}
            />
          )}
        </Load>
      </Card>
    </>
  );
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
    title: column.price,
    value: ({ weight }) => weight,
    show: (field) => {
      const isOwn = field.isComputed || field.weight != null || field.typeWeight != null;
      return <span className={isOwn ? '' : 'muted'}>{priceWords(field)}</span>;
    },
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
