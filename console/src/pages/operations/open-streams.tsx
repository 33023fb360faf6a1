import { useState } from 'react';
import { Link } from 'wouter';
import { useAdmin, useChange } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import {
  EndStreamsDocument,
  type OpenStreamFilter,
  OpenStreamsDocument,
  type OpenStreamsQuery,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { useToast } from '../../parts/feedback/toasts.js';
import { Confirm } from '../../parts/form/confirm.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import type { CallerParts } from '../../parts/text/caller-path.js';
import { whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { streamsText as text } from '../../text/streams-text.js';
import { problemsOf } from '../callers/problems-of.js';

type Stream = OpenStreamsQuery['openStreams']['nodes'][number];

/** Interval of requests, in milliseconds. */
const STREAMS_MS = 5_000;
/** Interval of requests while streams are ending, which takes up to two seconds. */
const ENDING_MS = 1_000;

interface OpenStreamsProps {
  /** Operation of the streams. @default all */
  operation?: string | undefined;
  /** Caller of the streams. With a caller, an operator can end all of them. @default all */
  who?: CallerParts;
}

/**
 * Lists the open subscriptions and WebSockets, oldest first. An operator can end each of them, or
 * all of a caller.
 */
export function OpenStreams({ operation, who }: OpenStreamsProps) {
  const mayEnd = useMay()('OPERATOR');
  const showToast = useToast();
  const filter: OpenStreamFilter = { ...who, ...(operation && { operation }) };
  const [ending, setEnding] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Stream | 'all'>();
  const [problem, setProblem] = useState<string>();
  const end = useChange(EndStreamsDocument);
  const query = useAdmin(
    OpenStreamsDocument,
    { filter },
    {
      about: JSON.stringify(filter),
      everyMs: (data) => (data?.openStreams.nodes.some(({ id }) => ending.has(id)) ? ENDING_MS : STREAMS_MS),
    },
  );
  const { nodes = [], totalCount = 0 } = query.data?.openStreams ?? {};
  const caller = nameOf(who);

  const ask = (what: Stream | 'all') => {
    setProblem(undefined);
    setAsked(what);
  };
  const confirmed = async (what: Stream | 'all') => {
    let ended = 0;
    const found = await problemsOf(async () => {
      const answer = await end.mutateAsync({ input: what === 'all' ? { ...who } : { id: what.id } });
      ended = answer.openStreamsEnd?.ended ?? 0;
      return answer;
    });
    setProblem(found);
    if (found !== undefined) return;
    setAsked(undefined);
    setEnding((before) => new Set([...before, ...(what === 'all' ? nodes.map(({ id }) => id) : [what.id])]));
    showToast({
      text: what === 'all' ? text.toast.all(whole(ended), caller) : text.toast[what.kind](nameOf(what.caller)),
    });
  };
  const actions = (stream: Stream) => {
    const isEnding = ending.has(stream.id);
    return (
      // `disabled` would remove the focus from the button, so only `aria-disabled` is set.
      <button
        type="button"
        className="button button-small button-danger"
        aria-disabled={isEnding}
        onClick={() => !isEnding && ask(stream)}
      >
        {isEnding ? text.ending : text.end}
      </button>
    );
  };
  return (
    <Card
      title={text.title}
      aside={
        mayEnd &&
        who && (
          // `disabled` would remove the focus when the last stream has ended.
          <button
            type="button"
            className="button button-small button-danger"
            aria-disabled={totalCount === 0}
            onClick={() => totalCount > 0 && ask('all')}
          >
            {text.endAll}
          </button>
        )
      }
    >
      <Load query={query} rows={3}>
        {({ openStreams }) => (
          <>
            <DataTable
              name="open-streams"
              rows={openStreams.nodes}
              columns={who?.user ? COLUMNS.filter(({ title }) => title !== commonText.column.caller) : COLUMNS}
              keyOf={({ id }) => id}
              {...(mayEnd && { actions })}
              empty={<Empty title={text.empty}>{text.emptyHint}</Empty>}
            />
            {openStreams.nodes.length > 0 && (
              <p className="card-note">
                {text.reported(whole(openStreams.totalCount), whole(openStreams.processes))}
                {openStreams.totalCount > openStreams.nodes.length &&
                  ` ${text.oldest(whole(openStreams.nodes.length))}`}
              </p>
            )}
          </>
        )}
      </Load>
      {asked && (
        <Confirm
          title={asked === 'all' ? text.endAllTitle(caller) : text.endTitle[asked.kind]}
          action={asked === 'all' ? text.endAll : text.end}
          isPending={end.isPending}
          problem={problem}
          onConfirm={() => void confirmed(asked)}
          onClose={() => setAsked(undefined)}
        >
          {asked !== 'all' && <StreamFacts stream={asked} />}
          <p>{asked === 'all' ? text.endAllText(whole(totalCount)) : text.endText[asked.kind]}</p>
          <p>{text.mayReturn}</p>
        </Confirm>
      )}
    </Card>
  );
}

/** Shows which stream a dialog is about. */
function StreamFacts({ stream: { kind, operation, caller, since } }: { stream: Stream }) {
  return (
    <dl className="facts">
      {kind === 'SUBSCRIPTION' && (
        <>
          <dt>{commonText.column.operation}</dt>
          <dd>{operation ? <Name>{operation}</Name> : commonText.unnamed('SUBSCRIPTION')}</dd>
        </>
      )}
      <dt>{commonText.column.caller}</dt>
      <dd>
        <Name>{nameOf(caller)}</Name>
      </dd>
      <dt>{text.column.opened}</dt>
      <dd>
        <Moment at={since} relative />
      </dd>
    </dl>
  );
}

function nameOf(caller: CallerParts | undefined): string {
  const { user, tenant, apiKey, ip } = caller ?? {};
  return visibleText(user ?? tenant ?? apiKey ?? ip ?? commonText.anonymous, 40);
}

const COLUMNS: Column<Stream>[] = [
  { title: text.column.kind, value: ({ kind }) => text.kinds[kind] },
  {
    title: commonText.column.operation,
    value: ({ operation }) => operation,
    show: ({ kind, operation }) =>
      operation ? (
        <Link href={`/operations?${new URLSearchParams({ operation })}`}>
          <Name>{operation}</Name>
        </Link>
      ) : kind === 'SUBSCRIPTION' ? (
        <em className="muted">{commonText.unnamed(kind)}</em>
      ) : (
        commonText.notAvailable
      ),
  },
  {
    title: commonText.column.caller,
    value: ({ caller }) => caller.name,
    show: ({ caller }) => <CallerName caller={caller} />,
  },
  {
    title: text.column.client,
    value: ({ client }) => client,
    show: ({ client }) => (client ? <Name>{client}</Name> : commonText.notAvailable),
  },
  {
    title: text.column.transport,
    value: ({ transport }) => transport && text.transports[transport],
    show: ({ transport }) => (transport ? text.transports[transport] : commonText.notAvailable),
  },
  { title: text.column.opened, value: ({ since }) => since, show: ({ since }) => <Moment at={since} relative /> },
  {
    title: text.column.events,
    value: ({ kind, events }) => (kind === 'SUBSCRIPTION' ? events : null),
    show: ({ kind, events }) => (kind === 'SUBSCRIPTION' ? whole(events) : commonText.notAvailable),
    isNumber: true,
  },
  {
    title: commonText.column.tokens,
    value: ({ kind, cost }) => (kind === 'SUBSCRIPTION' ? cost : null),
    show: ({ kind, cost }) => (kind === 'SUBSCRIPTION' ? whole(cost) : commonText.notAvailable),
    isNumber: true,
  },
];
