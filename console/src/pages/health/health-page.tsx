import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useSession } from '../../app/login/session-context.js';
import {
  HealthDocument,
  type HealthQuery,
  InstancesDocument,
  type InstancesQuery,
  SettingsDocument,
  type SettingsQuery,
  StoredStateDocument,
  type StoredStateQuery,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import { useRange } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { whole } from '../../parts/text/format.js';
import { Icon } from '../../parts/text/icon.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { settingText } from './setting-text.js';

type Health = HealthQuery['health'];

/** Shows the page of the health of the platform, of the versions, and of the settings in force. */
export function HealthPage() {
  const hour = useRange('1h');
  const query = useAdmin(HealthDocument, {}, { everyMs: 5_000 });
  // A separate request: health is known while PostgreSQL is unavailable, and this is not.
  const stored = useAdmin(StoredStateDocument, { hour: rangeInput(hour) }, { everyMs: 60_000 });
  return (
    <Page title="Health" lead="How the process that answers is doing, and the settings that it was started with.">
      {/* The placeholder is as high as the content. Otherwise, the parts below would move. */}
      <Load query={query} rows={18}>
        {({ health }) => <Filled health={health} usage={stored.data?.usage} />}
      </Load>
      <Instances />
      <Services query={stored} />
      <Settings />
    </Page>
  );
}

function Filled({ health, usage }: { health: Health; usage: StoredStateQuery['usage'] | undefined }) {
  const degraded = usage?.nodes.reduce((sum, point) => sum + (point.degraded ?? 0), 0);
  const { database, engines, process } = health;
  return (
    <div className="page-parts">
      <State health={health} />
      <div className="columns">
        <Card
          title="PostgreSQL"
          aside={<Light isGood={database.answeredAfterMs != null && !database.awaySince}>{['answers', 'away']}</Light>}
        >
          <dl className="facts">
            <dt>Just now</dt>
            <dd>
              {database.answeredAfterMs == null
                ? 'no answer'
                : `answered after ${Math.max(1, Math.round(database.answeredAfterMs))} ms`}
            </dd>
            {database.awaySince && (
              <>
                <dt>Away since</dt>
                <dd>
                  <Moment at={database.awaySince} />: {visibleText(database.reason ?? '', 300)}
                </dd>
              </>
            )}
            <dt>Version</dt>
            <dd>{database.version ?? 'not known now'}</dd>
            <dt>Rules in force</dt>
            <dd>
              {health.rulesetVersion == null
                ? 'not known'
                : `as of change ${whole(health.rulesetVersion)}, read from ${SOURCES[health.rulesetSource ?? ''] ?? 'somewhere'}`}
            </dd>
            <dt>Latest change</dt>
            <dd>
              {health.latestChange == null ? (
                'not known now'
              ) : (
                <Link href="/history">{whole(health.latestChange)}</Link>
              )}
            </dd>
          </dl>
        </Card>
        <Card title="This process">
          <dl className="facts">
            <dt>Tollgate</dt>
            <dd>{process.version}</dd>
            <dt>Node.js</dt>
            <dd>{process.nodeVersion}</dd>
            <dt>Started</dt>
            <dd>
              <Moment at={process.startedAt} relative />
            </dd>
            <dt>Without Redis</dt>
            <dd>
              {degraded === undefined
                ? 'not known now'
                : `${degraded === 0 ? 'no' : whole(degraded)} operations of the last hour were decided without the shared counters`}
            </dd>
          </dl>
        </Card>
      </div>
      <Card title="Redis" aside="Counters that are shared by all processes">
        <DataTable
          name="engines"
          rows={engines}
          columns={ENGINES}
          keyOf={({ pool }) => pool}
          empty={
            <Empty
              title="Counters are in the memory of this process"
              command="REDIS_URL=redis://localhost:6379 DATABASE_URL=postgres://localhost/tollgate"
            >
              They are shared with no other process, and gone with this one.
            </Empty>
          }
        />
      </Card>
    </div>
  );
}

function State({ health }: { health: Health }) {
  return (
    <div className={`notice ${health.ok ? 'notice-good' : 'notice-warn'}`}>
      <Icon name={health.ok ? 'check' : 'warning'} />
      <div>
        <strong>{health.ok ? 'Everything works as it should' : 'Degraded'}</strong>
        {health.problems.map((problem) => (
          <p key={problem}>{visibleText(problem, 500)}</p>
        ))}
      </div>
    </div>
  );
}

function Light({ isGood, children: [good, bad] }: { isGood: boolean; children: [good: string, bad: string] }) {
  return <span className={isGood ? 'pill pill-good' : 'pill pill-bad'}>{isGood ? good : bad}</span>;
}

function Instances() {
  const query = useAdmin(InstancesDocument, {}, { everyMs: 5_000 });
  return (
    <Card
      title="Processes"
      aside="All that run on this PostgreSQL, as of their last heartbeat; others are counted with their Redis"
    >
      <Load query={query} rows={2}>
        {({ instances }) => (
          <DataTable
            name="instances"
            rows={instances}
            columns={INSTANCES}
            keyOf={({ id }) => id}
            empty={<Empty title="No process is listed">One lists itself within a second of its start.</Empty>}
          />
        )}
      </Load>
    </Card>
  );
}

function Services({ query }: { query: UseQueryResult<StoredStateQuery, Error> }) {
  return (
    <Card title="APIs" aside="Those whose servers have published their schemas">
      <Load query={query} rows={2}>
        {({ services }) => (
          <DataTable
            name="services"
            rows={services}
            columns={SERVICES}
            keyOf={({ name }) => name}
            empty={
              <Empty title="No server has published a schema">
                Name yours by the option service of createTollgate.
              </Empty>
            }
          />
        )}
      </Load>
    </Card>
  );
}

/** Settings in force. Only admins see them, because they reveal how the platform is set up. */
function Settings() {
  const { role } = useSession();
  const query = useAdmin(SettingsDocument, {}, { enabled: role === 'ADMIN' });
  return (
    <Card title="Settings in force" aside="Without secrets; changed where the process is started">
      {role === 'ADMIN' ? (
        <Load query={query} rows={6}>
          {({ settings }) => (
            <DataTable
              name="settings"
              rows={settings}
              columns={SETTINGS}
              keyOf={({ name }) => name}
              empty={<Empty title="They are not shown here" />}
            />
          )}
        </Load>
      ) : (
        <Empty title="Settings are for admins" />
      )}
    </Card>
  );
}

const SOURCES: Record<string, string> = {
  postgres: 'PostgreSQL',
  redis: 'Redis, as PostgreSQL was away',
  snapshot: 'the file on disk, as PostgreSQL was away',
};

const STATES = { CLOSED: 'answers', OPEN: 'does not answer', HALF_OPEN: 'is being tried' } as const;

const ENGINES: Column<Health['engines'][number]>[] = [
  { title: 'Pool', value: ({ pool }) => pool, show: ({ pool }) => <Name>{pool}</Name> },
  {
    title: 'Breaker',
    value: ({ state }) => state,
    show: ({ state }) => (
      <>
        <span className={state === 'CLOSED' ? 'pill pill-good' : 'pill pill-bad'}>{STATES[state]}</span>{' '}
        <span className="tag">{state.toLowerCase().replace('_', ' ')}</span>
      </>
    ),
  },
  { title: 'Since', value: ({ since }) => since, show: ({ since }) => <Moment at={since} relative /> },
  { title: 'Why', value: ({ reason }) => reason, show: ({ reason }) => reason?.replaceAll('_', ' ') },
  { title: 'Processes', value: ({ instances }) => instances, isNumber: true },
];

const INSTANCES: Column<InstancesQuery['instances'][number]>[] = [
  {
    title: 'Process',
    value: ({ host, pid }) => `${host} ${pid}`,
    show: ({ host, pid, isAnswering }) => (
      <>
        <Name>{host}</Name> {pid} {isAnswering && <span className="tag">answers here</span>}
      </>
    ),
  },
  { title: 'API', value: ({ service }) => service, show: ({ service }) => service && <Name>{service}</Name> },
  {
    title: 'State',
    value: ({ state }) => state,
    show: ({ state, problems }) => (
      <>
        <span className={state === 'READY' ? 'pill pill-good' : 'pill pill-bad'}>{state.toLowerCase()}</span>{' '}
        {problems.map((problem) => visibleText(problem, 300)).join('; ')}
      </>
    ),
  },
  {
    title: 'Part without Redis',
    value: ({ localShare }) => localShare,
    show: ({ localShare }) => `${Math.round(localShare * 1000) / 10} %`,
    isNumber: true,
  },
  { title: 'Version', value: ({ version }) => version },
  { title: 'Started', value: ({ startedAt }) => startedAt, show: (row) => <Moment at={row.startedAt} relative /> },
  { title: 'Seen', value: ({ lastSeenAt }) => lastSeenAt, show: (row) => <Moment at={row.lastSeenAt} relative /> },
];

const SERVICES: Column<StoredStateQuery['services'][number]>[] = [
  { title: 'API', value: ({ name }) => name, show: ({ name }) => <Name>{name}</Name> },
  { title: 'Schema and prices', value: ({ hash }) => hash, show: ({ hash }) => <code>{hash.slice(0, 12)}</code> },
  { title: 'Published', value: ({ publishedAt }) => publishedAt, show: (row) => <Moment at={row.publishedAt} /> },
];

const SETTINGS: Column<SettingsQuery['settings'][number]>[] = [
  { title: 'Setting', value: ({ name }) => name, show: ({ name }) => <code>{name}</code> },
  { title: 'Value', value: settingText, show: (setting) => visibleText(settingText(setting)) },
];
