import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  curlLine,
  endedRanges,
  filtersOf,
  GROUPS,
  parametersOf,
  readChoice,
  rowsAtEnd,
  withGroup,
} from '../../console/src/pages/export/export-choice.js';

const RANGE = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' };

test('an export choice is valid, whatever the URL contains and in whatever order it was clicked', () => {
  const clicks = fc.array(fc.record({ group: fc.constantFrom(...GROUPS), isOn: fc.boolean() }));
  fc.assert(
    fc.property(clicks, fc.array(fc.constantFrom(...GROUPS, 'x')), (clicks, address) => {
      const clicked = clicks.reduce<(typeof GROUPS)[number][]>(
        (groups, { group, isOn }) => withGroup(groups, group, isOn),
        [],
      );
      const read = readChoice(new URLSearchParams({ groupBy: address.join(','), user: 'ann', rule: 'r' }));
      for (const groups of [clicked, read.groupBy]) {
        expect(
          groups.length === 1 || !groups.some((group) => ['FIELD', 'RULE', 'INTEGRATION', 'REGION'].includes(group)),
        ).toBe(true);
      }
      for (const name of Object.keys(read.filter)) expect(filtersOf(read.groupBy)).toContain(name);
    }),
  );
  expect(withGroup(['FIELD'], 'TIER', true)).toEqual(['TIER']);
});

test('the curl line requests the chosen export, and no name can end its quoted text', () => {
  const search = new URLSearchParams({
    groupBy: 'TIER,TENANT',
    bucket: 'DAY',
    tenant: `a'b"$(rm)\`&x=1`,
    format: 'csv',
  });
  const parameters = parametersOf(readChoice(search), RANGE);
  const line = curlLine('http://localhost:4000/admin/usage.csv', parameters);
  const [, address] = /^curl -s -o usage\.csv -H "authorization: Bearer \$TOLLGATE_ADMIN_TOKEN" '([^']+)'$/.exec(line)!;
  expect(address).toContain('groupBy=TENANT,TIER');
  expect(Object.fromEntries(new URL(address!).searchParams)).toEqual(parameters);
  fc.assert(
    fc.property(fc.string(), (user) => {
      const [, found] = /'([^']+)'$/.exec(curlLine('http://a/usage.csv', { user }))!;
      expect(new URL(found!).searchParams.get('user')).toBe(user);
    }),
  );
});

test('an export without its complete last line counts as incomplete', () => {
  expect(rowsAtEnd('a,b\r\n# end, 31 rows\n', 'csv')).toBe(31);
  expect(rowsAtEnd('# end, 0 rows\n', 'csv')).toBe(0);
  expect(rowsAtEnd('{"a":1}\n{"end":true,"rows":2}\n', 'ndjson')).toBe(2);
  for (const cut of ['', 'a,b\r\n', '# end, 31 ro', '{"end":true,"rows":2}\n', 'x # end, 3 rows\n']) {
    expect(rowsAtEnd(cut, 'csv')).toBeUndefined();
  }
  expect(rowsAtEnd('{"a":"{\\"end\\":true,\\"rows\\":2}"}\n', 'ndjson')).toBeUndefined();
});

test('ranges for bills are the last complete day and month, even across the end of a year', () => {
  const [yesterday, month] = endedRanges(Date.parse('2026-01-01T00:00:00Z'));
  const inWords = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
    [fromMs, toMs].map((ms) => new Date(ms).toJSON());
  expect(inWords(yesterday!)).toEqual(['2025-12-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z']);
  expect(inWords(month!)).toEqual(['2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']);
});
