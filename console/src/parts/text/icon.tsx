/** SVG paths of the icons, on a grid of 16 x 16 units. */
const PATHS = {
  overview: 'M2 13h12M3.5 13V8.5M8 13V3.5M12.5 13V6.5',
  denied: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 1 0 8 2.2M4 4l8 8',
  callers:
    'M6 7.5a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8M1.8 13.3c0-2.3 1.8-3.8 4.2-3.8s4.2 1.5 4.2 3.8M10.6 2.9a2.3 2.3 0 0 1 0 4.4M11.8 9.7c1.5.5 2.4 1.8 2.4 3.6',
  rules:
    'M2.5 4h6M12 4h1.5M8.5 4a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 0 0-3.4 0M2.5 12h1.5M7.5 12h6M4 12a1.7 1.7 0 1 0 3.4 0A1.7 1.7 0 0 0 4 12M2.5 8h11',
  explorer: 'M5.5 4 2 8l3.5 4M10.5 4 14 8l-3.5 4M9 2.8 7 13.2',
  operations: 'M2.5 3h11v10h-11zM2.5 6.5h11M6.5 6.5V13',
  fields: 'M3 2.5v11M3 5h3M3 9.5h3M8.5 3.5h5v3h-5zM8.5 8h5v3h-5z',
  documents: 'M4 2.5h5l3.5 3.5v7.5H4zM9 2.5V6h3.5M6 8.5h4M6 11h4',
  tiers: 'M8 2 14 5 8 8 2 5zM2.5 8.2 8 11l5.5-2.8M2.5 11.2 8 14l5.5-2.8',
  history: 'M2.6 8a5.4 5.4 0 1 1 1.7 3.9M2.4 12.5v-2.8h2.8M8 5v3.2l2.2 1.4',
  tokens: 'M10.2 2.4a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8M7.8 8.2 2.5 13.5h2.3v-1.7h1.8',
  health: 'M1.5 8.5H5l1.6-4.6 2.9 8.4 1.6-3.8h3.4',
  export: 'M8 2.5v7.5M5 7.2 8 10.2l3-3M2.5 10.5v3h11v-3',
  api: 'M6.5 2.5c-1.7 0-2.2.8-2.2 2.2v1.4c0 1.1-.6 1.9-1.8 1.9 1.2 0 1.8.8 1.8 1.9v1.4c0 1.4.5 2.2 2.2 2.2M9.5 2.5c1.7 0 2.2.8 2.2 2.2v1.4c0 1.1.6 1.9 1.8 1.9-1.2 0-1.8.8-1.8 1.9v1.4c0 1.4-.5 2.2-2.2 2.2',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  moon: 'M13.3 9.6A5.8 5.8 0 0 1 6.4 2.7a5.8 5.8 0 1 0 6.9 6.9',
  auto: 'M2 3h12v8H2zM6 14h4M8 11v3',
  out: 'M6.5 2.5h-4v11h4M10.5 5 13.5 8l-3 3M13.5 8h-7',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3l3.4 3.4',
  up: 'M8 12.5v-9M4.5 7 8 3.5 11.5 7',
  down: 'M8 3.5v9M4.5 9 8 12.5 11.5 9',
  right: 'M6 3.5 10.5 8 6 12.5',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  check: 'M3 8.5 6.5 12 13 4.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  warning: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.4',
  plus: 'M8 3v10M3 8h10',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** Shows an icon next to a text with the same meaning. Screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
