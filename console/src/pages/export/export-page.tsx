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
import { commonText } from '../../text/common-text.js';
import { exportText } from '../../text/export-text.js';
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

const { download, options, preview } = exportText;
const FILTERS: Record<ExportFilter, string> = exportText.filter;

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
      title={exportText.title}
      lead={exportText.lead}
      actions={
        <>
          <Ended range={range} />
          <RangePicker range={range} presets={['24h', '7d', '30d', '90d']} canBeLive={false} />
        </>
      }
    >
      <Card title={options.title}>
        <div className="card-body choices">
          <fieldset className="choice">
            <legend className="field-label">{options.groupBy}</legend>
            {GROUPS.map((group) => (
              <label key={group} className="check">
                <input
                  type="checkbox"
                  checked={groupBy.includes(group)}
                  onChange={(event) => set('groupBy', withGroup(groupBy, group, event.target.checked).join(','))}
                />
                {options.groups[group]}
              </label>
            ))}
          </fieldset>
          <div className="filters">
            <select
              className="select"
              aria-label={options.granularity}
              value={bucket ?? ''}
              onChange={(event) => set('bucket', event.target.value)}
            >
              <option value="">{options.automatic}</option>
              {BUCKETS.map((one) => (
                <option key={one} value={one}>
                  {options.buckets[one]}
                </option>
              ))}
            </select>
            <select
              className="select"
              aria-label={options.format}
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
      <Card title={preview.title} aside={query.data?.usage.pageInfo.hasNextPage && preview.more}>
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
                  <Empty title={preview.noMatch}>{commonText.noTraffic.changeFilters}</Empty>
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
    <Card title={download.title}>
      <div className="card-body choices">
        <div className="form-actions">
          <button
            type="button"
            className="button button-primary"
            disabled={state.is === 'running'}
            onClick={() => start(format, parameters)}
          >
            {download.start(FORMATS[format])}
          </button>
          {state.is === 'running' && (
            <button type="button" className="button" onClick={stop}>
              {download.stop}
            </button>
          )}
          <span className="muted" role="status">
            {state.is === 'running' && download.progress(short(Math.ceil(state.bytes / 1024)))}
            {state.is === 'done' && download.complete(whole(state.rows), state.rows)}
          </span>
        </div>
        {state.is === 'failed' && <Failure error={state.error} onRetry={() => start(format, parameters)} />}
        <div className="command">
          <code>{command}</code>
          <CopyButton text={command} label={commonText.copy.command} />
        </div>
        <p className="muted small">{download.hint}</p>
      </div>
    </Card>
  );
}
