import { describe, expect, it } from 'vitest';
import { presentCaller, presentUsageCaller } from '../../src/admin/context/present-caller.js';
import { countableSubject } from '../../src/model/subject.js';

const NO_CALLER = { user: null, tenant: null, apiKey: null, ip: null };

describe('the presentation of callers', () => {
  it.each([
    [{ user: '42', tenant: 'acme', apiKey: 'tg_1', ip: '192.0.2.7' }, 'USER', '42'],
    [{ apiKey: 'tg_1', tenant: 'acme', ip: '192.0.2.7' }, 'API_KEY', 'tg_1'],
    [{ ip: '192.0.2.7' }, 'ANONYMOUS', '192.0.2.7'],
    [{ ip: '192.0.2.7', tenant: 'acme' }, 'ANONYMOUS', '192.0.2.7'],
    [{ tenant: 'acme' }, 'TENANT', 'acme'],
  ])('a caller with the names %j is shown as %s %s, with all names', (names, kind, name) => {
    expect(presentCaller(names)).toEqual({ ...NO_CALLER, ...names, kind, name });
  });

  it('a caller without any name is shown without an address', () => {
    const shown = { ...NO_CALLER, kind: 'ANONYMOUS', name: null };
    expect(presentCaller(countableSubject({}))).toEqual(shown);
    expect(presentUsageCaller({ kind: 'IP', name: countableSubject({}).ip!, tenant: null })).toEqual(shown);
  });

  it.each([
    ['USER', { user: 'a' }],
    ['API_KEY', { apiKey: 'a' }],
    ['IP', { ip: 'a' }],
  ] as const)('a caller from recorded usage of kind %s is shown like one with the same names', (kind, names) => {
    expect(presentUsageCaller({ kind, name: 'a', tenant: 'acme' })).toEqual(
      presentCaller({ ...names, tenant: 'acme' }),
    );
  });

  it('the caller of usage that is added up as OTHER has no name', () => {
    const shown = { ...NO_CALLER, kind: 'OTHER', name: null };
    expect(presentUsageCaller({ kind: 'OTHER', name: null, tenant: null })).toEqual(shown);
  });
});
