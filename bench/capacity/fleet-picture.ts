import { numberText } from '../../src/capacity/number-text.js';
import type { FleetResult, FleetScenario, Second } from './simulate-fleet.js';

const WIDTH = 760;
const LEFT = 64;
const HEIGHT = 150;
const GAP = 46;

interface Panel {
  title: string;
  most: number;
  lines: { colour: string; name: string; values: number[] }[];
}

/** Draws the operations of each second and the tokens that instances hold, as SVG. */
export function fleetPicture(scenario: FleetScenario, { seconds }: FleetResult): string {
  const valuesOf = (of: (second: Second) => number) => seconds.map(of);
  const perSecond = (scenario.shared.amount * 1000) / scenario.shared.windowMs;
  const panels: Panel[] = [
    {
      title: 'operations in a second',
      most: scenario.rps * 1.1,
      lines: [
        { colour: '#94a3b8', name: 'offered', values: valuesOf(({ offered }) => offered) },
        { colour: '#2563eb', name: 'admitted', values: valuesOf(({ admitted }) => admitted) },
        { colour: '#059669', name: 'admitted without a call', values: valuesOf(({ withoutCall }) => withoutCall) },
        { colour: '#dc2626', name: 'limit, as a mean', values: seconds.map(() => perSecond) },
      ],
    },
    {
      title: 'tokens that instances hold',
      most: 1.1 * Math.max(1, ...seconds.map(({ held }) => held)),
      lines: [{ colour: '#7c3aed', name: 'held', values: valuesOf(({ held }) => held) }],
    },
  ];
  const height = GAP + panels.length * (HEIGHT + GAP);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + 20} ${height}" font-family="sans-serif" font-size="12" fill="#0f172a">`,
    `<title>${numberText(scenario.instances)} simulated instances: operations and held tokens by second</title>`,
    `<rect width="${WIDTH + 20}" height="${height}" fill="#ffffff"/>`,
    ...panels.map((panel, index) => drawPanel(panel, GAP + index * (HEIGHT + GAP), scenario)),
    '</svg>',
    '',
  ].join('\n');
}

function drawPanel({ title, most, lines }: Panel, top: number, scenario: FleetScenario): string {
  const xOf = (second: number) => Math.round(LEFT + ((WIDTH - LEFT) * second) / scenario.seconds);
  const yOf = (value: number) => Math.round(top + HEIGHT - (HEIGHT * value) / most);
  const bottom = top + HEIGHT;
  const marks = [
    scenario.failover && { atS: scenario.failover.atS, text: 'failover of Redis' },
    scenario.regionLoss && { atS: scenario.regionLoss.atS, text: 'loss of a region' },
  ].filter((mark) => mark !== undefined);
  const legend = lines.map(({ colour, name }) => `<tspan fill="${colour}"> ■ ${name}</tspan>`).join('');
  return [
    `<text x="${LEFT}" y="${top - 10}"><tspan font-weight="bold">${title}</tspan>${legend}</text>`,
    `<text x="${LEFT - 6}" y="${top + 10}" text-anchor="end" font-size="10">${numberText(Math.round(most))}</text>`,
    `<text x="${LEFT - 6}" y="${bottom}" text-anchor="end" font-size="10">0</text>`,
    ...marks.map(
      ({ atS, text }) =>
        `<path d="M${xOf(atS)} ${top}V${bottom}" stroke="#f59e0b" stroke-dasharray="4 3"/><text x="${xOf(atS) + 4}" y="${bottom - 6}" font-size="10" fill="#b45309">${text}</text>`,
    ),
    ...lines.map(({ colour, values }) => {
      const path = values
        .map((value, second) => `${second === 0 ? 'M' : 'L'}${xOf(second + 0.5)} ${yOf(value)}`)
        .join('');
      return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
    }),
    `<path d="M${LEFT} ${bottom}H${WIDTH}" stroke="#64748b"/>`,
    ...Array.from({ length: scenario.seconds / 10 + 1 }, (_, tens) => tens * 10).map(
      (second) => `<text x="${xOf(second)}" y="${bottom + 14}" text-anchor="middle" font-size="10">${second} s</text>`,
    ),
  ].join('\n');
}
