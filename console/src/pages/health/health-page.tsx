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
import { commonText } from '../../text/common-text.js';
import { healthText } from '../../text/health-text.js';
import { settingText } from './setting-text.js';

const { apis, postgres, processes, redis, settings: settingsText } = healthText;
const { column, unknown } = commonText;

type Health = HealthQuery['health'];

/** Shows the page of the health of the platform, of the versions, and of the settings in force. */
export function HealthPage() {
  const hour = useRange('1h');
  const query = useAdmin(HealthDocument, {}, { everyMs: 5_000 });
  // Stored data has a separate request, which fails while PostgreSQL is unavailable. The health
  // must stay visible then.
  const stored = useAdmin(StoredStateDocument, { hour: rangeInput(hour) }, { everyMs: 60_000 });
  return (
    <Page title={healthText.title} lead={healthText.lead}>
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
          title={postgres.title}
          aside={
            <Light isGood={database.answeredAfterMs != null && !database.awaySince}>
              {[postgres.healthy, postgres.down]}
            </Light>
          }
        >
          <dl className="facts">
            <dt>{postgres.latency}</dt>
            <dd>
              {database.answeredAfterMs == null
                ? postgres.noAnswer
                : postgres.milliseconds(Math.max(1, Math.round(database.answeredAfterMs)))}
            </dd>
            {database.awaySince && (
              <>
                <dt>{postgres.downSince}</dt>
                <dd>
                  <Moment at={database.awaySince} />: {visibleText(database.reason ?? '', 300)}
                </dd>
              </>
            )}
            <dt>{postgres.version}</dt>
            <dd>{database.version ?? unknown}</dd>
            <dt>{postgres.rules}</dt>
            <dd>
              {health.rulesetVersion == null
                ? unknown
                : postgres.rulesFrom(whole(health.rulesetVersion), health.rulesetSource ?? '')}
            </dd>
            <dt>{postgres.latestChange}</dt>
            <dd>{health.latestChange == null ? unknown : <Link href="/history">{whole(health.latestChange)}</Link>}</dd>
          </dl>
        </Card>
        <Card title={healthText.process.title}>
          <dl className="facts">
            <dt>{healthText.process.tollgate}</dt>
            <dd>{process.version}</dd>
            <dt>{healthText.process.node}</dt>
            <dd>{process.nodeVersion}</dd>
            <dt>{healthText.process.started}</dt>
            <dd>
              <Moment at={process.startedAt} relative />
            </dd>
            <dt>{healthText.process.withoutRedis}</dt>
            <dd>{degraded === undefined ? unknown : healthText.process.degraded(whole(degraded))}</dd>
          </dl>
        </Card>
      </div>
      <Card title={redis.title} aside={redis.hint}>
        <DataTable
          name="engines"
          rows={engines}
          columns={ENGINES}
          keyOf={({ pool }) => pool}
          empty={
            <Empty
              title={redis.empty}
              command="REDIS_URL=redis://localhost:6379 DATABASE_URL=postgres://localhost/tollgate"
            >
              {redis.emptyHint}
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
        <strong>{health.ok ? healthText.healthy : healthText.degraded}</strong>
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
    <Card title={processes.title} aside={processes.hint}>
      <Load query={query} rows={2}>
        {({ instances }) => (
          <DataTable
            name="instances"
            rows={instances}
            columns={INSTANCES}
            keyOf={({ id }) => id}
            empty={<Empty title={processes.empty}>{processes.emptyHint}</Empty>}
          />
        )}
      </Load>
    </Card>
  );
}

function Services({ query }: { query: UseQueryResult<StoredStateQuery, Error> }) {
  return (
    <Card title={apis.title} aside={apis.hint}>
      <Load query={query} rows={2}>
        {({ services }) => (
          <DataTable
            name="services"
            rows={services}
            columns={SERVICES}
            keyOf={({ name }) => name}
            empty={<Empty title={apis.empty}>{apis.emptyHint}</Empty>}
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
    <Card title={settingsText.title} aside={settingsText.hint}>
      {role === 'ADMIN' ? (
        <Load query={query} rows={6}>
          {({ settings }) => (
            <DataTable
              name="settings"
              rows={settings}
              columns={SETTINGS}
              keyOf={({ name }) => name}
              empty={<Empty title={settingsText.empty}>{settingsText.emptyHint}</Empty>}
            />
          )}
        </Load>
      ) : (
        <Empty title={settingsText.adminsOnly}>{settingsText.adminsOnlyHint}</Empty>
      )}
    </Card>
  );
}

const ENGINES: Column<Health['engines'][number]>[] = [
  { title: redis.pool, value: ({ pool }) => pool, show: ({ pool }) => <Name>{pool}</Name> },
  {
    title: redis.breaker,
    value: ({ state }) => state,
    show: ({ state }) => (
      <>
        <span className={state === 'CLOSED' ? 'pill pill-good' : 'pill pill-bad'}>
          {redis.breakerStates[state].summary}
        </span>{' '}
        <span className="tag">{redis.breakerStates[state].state}</span>
      </>
    ),
  },
  { title: column.since, value: ({ since }) => since, show: ({ since }) => <Moment at={since} relative /> },
  { title: redis.reason, value: ({ reason }) => reason, show: ({ reason }) => reason?.replaceAll('_', ' ') },
  { title: redis.processes, value: ({ instances }) => instances, isNumber: true },
];

const INSTANCES: Column<InstancesQuery['instances'][number]>[] = [
  {
    title: processes.process,
    value: ({ host, pid }) => `${host} ${pid}`,
    show: ({ host, pid, isAnswering }) => (
      <>
        <Name>{host}</Name> {pid} {isAnswering && <span className="tag">{processes.current}</span>}
      </>
    ),
  },
  { title: apis.api, value: ({ service }) => service, show: ({ service }) => service && <Name>{service}</Name> },
  {
    title: column.state,
    value: ({ state }) => state,
    show: ({ state, problems }) => (
      <>
        <span className={state === 'READY' ? 'pill pill-good' : 'pill pill-bad'}>{processes.states[state]}</span>{' '}
        {problems.map((problem) => visibleText(problem, 300)).join('; ')}
      </>
    ),
  },
  {
    title: processes.localShare,
    value: ({ localShare }) => localShare,
    show: ({ localShare }) => processes.percent(Math.round(localShare * 1000) / 10),
    isNumber: true,
  },
  { title: column.version, value: ({ version }) => version },
  { title: column.started, value: ({ startedAt }) => startedAt, show: (row) => <Moment at={row.startedAt} relative /> },
  {
    title: processes.lastSeen,
    value: ({ lastSeenAt }) => lastSeenAt,
    show: (row) => <Moment at={row.lastSeenAt} relative />,
  },
];

const SERVICES: Column<StoredStateQuery['services'][number]>[] = [
  { title: apis.api, value: ({ name }) => name, show: ({ name }) => <Name>{name}</Name> },
  { title: apis.hash, value: ({ hash }) => hash, show: ({ hash }) => <code>{hash.slice(0, 12)}</code> },
  { title: apis.published, value: ({ publishedAt }) => publishedAt, show: (row) => <Moment at={row.publishedAt} /> },
];

const SETTINGS: Column<SettingsQuery['settings'][number]>[] = [
  { title: settingsText.setting, value: ({ name }) => name, show: ({ name }) => <code>{name}</code> },
  { title: settingsText.value, value: settingText, show: (setting) => visibleText(settingText(setting)) },
];
