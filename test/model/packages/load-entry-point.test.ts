import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadEntryPoint } from '../../../src/runtime/packages/load-entry-point.js';

describe('entry points whose packages may have unsupported versions', () => {
  // Test files share their modules, so none with the mocked file system may remain.
  afterEach(() => {
    vi.doUnmock('node:fs');
    vi.resetModules();
  });

  it('an entry point loads with supported package versions', async () => {
    expect(await loadEntryPoint('tollgate/server', ['express', 'undici', 'type-graphql'], async () => 7)).toBe(7);
  });

  it('an entry point does not load with unsupported package versions, and the error contains the install command', async () => {
    vi.resetModules();
    vi.doMock('node:fs', async (original) => {
      const fs = await original<typeof import('node:fs')>();
      const readFileSync = (path: string, encoding: 'utf8') => {
        const text = fs.readFileSync(path, encoding);
        return /"name": "(express|undici)"/.test(text) ? text.replace(/"version": "\d+/, '"version": "4') : text;
      };
      return { ...fs, readFileSync };
    });
    const other = await import('../../../src/runtime/packages/load-entry-point.js');
    const load = vi.fn();
    const opening = other.loadEntryPoint(
      'tollgate/server',
      ['express', 'undici', 'type-graphql', 'not-installed'],
      load,
    );
    await expect(opening).rejects.toThrow(
      /^tollgate\/server needs express 5, and 4\.\S+ is installed; undici 7, and 4\.\S+ is installed: npm install express@5 undici@7$/,
    );
    await expect(opening).rejects.toMatchObject({ isForUser: true });
    expect(load).not.toHaveBeenCalled();
  });
});
