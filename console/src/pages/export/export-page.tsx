import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { here } from '../../api/here.js';
import { serverNow } from '../../api/server-clock.js';
import { useAdmin } from '../../api/use-admin.js';
import { ExportPreviewDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { CopyButton } from '../../parts/feedback/copy-button.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Failure } from '../../parts/feedback/failure.js';
import { Load } from '../../parts/feedback/load.js';
import { NoTraffic } from '../../parts/feedback/no-traffic.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { Page } from '../../parts/page.js';
import { RangePicker } from '../../parts/range/range-picker.js';
import { rangeInput, writeRange } from '../../parts/range/shown-range.js';
import { type RangeInUse, useRange, withParam } from '../../parts/range/use-range.js';
import { DataTable } from '../../parts/table/data-table.js';
import { short, whole } from '../../parts/text/format.js';
import {
  BUCKETS,
  curlLine,
  type ExportFilter,
  endedRanges,
  FORMATS,
  filtersOf,
  GROUPS,
  parametersOf,
  readChoice,
  withGroup,
} from './export-choice.js';
import { columnsOf } from './preview-columns.js';
import { useExport } from './use-export.js';

const FILTERS: Record<ExportFilter, string> = {
  user: 'User',
  apiKey: 'Prefix of an API key',
  ip: 'Address',
  tenant: 'Tenant',
  tier: 'Tier',
  operation: 'Name of the operation',
  field: 'Field, such as Query.search',
  rule: 'Rule, or tier:NAME',
};

/** Shows the page of the usage export: selection, preview, download, and the shell command. */
export function ExportPage() {
  const range = useRange('7d');
  const [search, setSearch] = useSearchParams();
  const choice = readChoice(search);
  const { format, bucket, groupBy, filter } = choice;
  const asked = rangeInput(range);
  const parameters = parametersOf(choice, asked);
  const query = useAdmin(ExportPreviewDocument, { range: asked, bucket: bucket ?? null, groupBy, filter });
  const set = (name: string, value: string) => setSearch((before) => withParam(before, name, value));
  return (
    <Page
      title="Export"
      lead="Usage as a file, for bills and spreadsheets. A bucket of time that has not ended still rises."
      actions={
        <>
          <Ended range={range} />
          <RangePicker range={range} presets={['24h', '7d', '30d', '90d']} canBeLive={false} />
        </>
      }
    >
      <Card title="What">
        <div className="card-body choices">
          <fieldset className="choice">
            <legend className="field-label">A row for each</legend>
            {GROUPS.map((group) => (
              <label key={group} className="check">
                <input
                  type="checkbox"
                  checked={groupBy.includes(group)}
                  onChange={(event) => set('groupBy', withGroup(groupBy, group, event.target.checked).join(','))}
                />
                {group.toLowerCase()}
              </label>
            ))}
          </fieldset>
          <div className="filters">
            <select
              className="select"
              aria-label="Buckets of time"
              value={bucket ?? ''}
              onChange={(event) => set('bucket', event.target.value)}
            >
              <option value="">As fine as the range allows</option>
              {BUCKETS.map((one) => (
                <option key={one} value={one}>
                  By {one.toLowerCase()}
                </option>
              ))}
            </select>
            <select
              className="select"
              aria-label="Format"
              value={format}
              onChange={(event) => set('format', event.target.value)}
            >
              {Object.entries(FORMATS).map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          </div>
          <search className="filters">
            {filtersOf(groupBy).map((name) => (
              <FilterField key={name} name={name} label={FILTERS[name]} />
            ))}
          </search>
        </div>
      </Card>
      <Fetch format={format} parameters={parameters} />
      <Card title="Its first rows" aside={query.data?.usage.pageInfo.hasNextPage && 'and more'}>
        <Load query={query} rows={5}>
          {({ usage }) => (
            <DataTable
              name="export-preview"
              isPreview
              rows={usage.nodes}
              columns={columnsOf(groupBy, bucket ?? range.bucket)}
              keyOf={({ from }) => from}
              empty={
                Object.keys(filter).length > 0 ? (
                  <Empty title="Nothing was asked in this time, with these conditions" />
                ) : (
                  <NoTraffic />
                )
              }
            />
          )}
        </Load>
      </Card>
    </Page>
  );
}

function Ended({ range }: { range: RangeInUse }) {
  const [nowMs] = useState(() => serverNow());
  return endedRanges(nowMs).map(({ title, fromMs, toMs }) => (
    <button
      key={title}
      type="button"
      className="button"
      title="In UTC, as buckets of time are"
      aria-pressed={range.fromMs === fromMs && range.toMs === toMs}
      onClick={() => range.set(writeRange(fromMs, toMs))}
    >
      {title}
    </button>
  ));
}

function Fetch({ format, parameters }: { format: keyof typeof FORMATS; parameters: Record<string, string> }) {
  const { state, start, stop } = useExport();
  const command = curlLine(`${window.location.origin}${here.downloads}/usage.${format}`, parameters);
  return (
    <Card title="The file">
      <div className="card-body choices">
        <div className="form-actions">
          <button
            type="button"
            className="button button-primary"
            disabled={state.is === 'running'}
            onClick={() => start(format, parameters)}
          >
            Download {FORMATS[format]}
          </button>
          {state.is === 'running' && (
            <button type="button" className="button" onClick={stop}>
              Stop
            </button>
          )}
          <span className="muted" role="status">
            {state.is === 'running' && `${short(Math.ceil(state.bytes / 1024))} KB so far`}
            {state.is === 'done' && `Whole: ${whole(state.rows)} ${state.rows === 1 ? 'row' : 'rows'}`}
          </span>
        </div>
        {state.is === 'failed' && <Failure error={state.error} />}
        <div className="command">
          <code>{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </div>
        <p className="muted small">
          The last line says how many rows there are: without it a file was cut off. In CSV no cell is taken for a
          formula. For millions of rows use the command, which keeps nothing in memory.
        </p>
      </div>
    </Card>
  );
}
