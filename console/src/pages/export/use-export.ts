import { useEffect, useRef, useState } from 'react';
import { fetchDownload } from '../../api/fetch-download.js';
import { here } from '../../api/here.js';
import { exportText } from '../../text/export-text.js';
import { type ExportFormat, rowsAtEnd } from './export-choice.js';

export type ExportState =
  | { is: 'ready' }
  | { is: 'running'; bytes: number }
  | { is: 'done'; rows: number }
  | { is: 'failed'; error: Error };

/** Upper bound of the length of the last line of an export. */
const TAIL_BYTES = 200;

/** Downloads an export, reports its progress, and saves it once it is complete. */
export function useExport() {
  const [state, setState] = useState<ExportState>({ is: 'ready' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function run(format: ExportFormat, parameters: Record<string, string>): Promise<ExportState> {
    const controller = new AbortController();
    running.current = controller;
    setState({ is: 'running', bytes: 0 });
    try {
      const blob = await fetchDownload(`${here.downloads}/usage.${format}`, parameters, {
        signal: controller.signal,
        onProgress: (bytes) => setState({ is: 'running', bytes }),
      });
      const rows = rowsAtEnd(await blob.slice(-TAIL_BYTES).text(), format);
      if (rows === undefined) throw new Error(exportText.download.incomplete);
      save(blob, `usage.${format}`);
      return { is: 'done', rows };
    } catch (error) {
      return controller.signal.aborted ? { is: 'ready' } : { is: 'failed', error: error as Error };
    }
  }

  return {
    state,
    start: (format: ExportFormat, parameters: Record<string, string>) => void run(format, parameters).then(setState),
    stop: () => running.current?.abort(),
  };
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers start to read the blob later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
