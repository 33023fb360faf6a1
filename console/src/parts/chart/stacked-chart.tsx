import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { THEME_CHANGED } from '../../app/theme.js';
import { commonText } from '../../text/common-text.js';
import { short } from '../text/format.js';
import { utcDay } from '../text/moments.js';

export interface StackedChartProps {
  /** Times in seconds, then the series. Each series includes the values of all layers below it. */
  data: [number[], ...number[][]];
  /** Layers from the bottom up. A color is the name of a custom property. */
  layers: readonly { title: string; color: string }[];
  /** Text alternative of the chart. */
  label: string;
  /**
   * Whether each point is a UTC day. Ticks and labels are then UTC days, whatever the time zone of
   * the browser is.
   */
  isByDay?: boolean;
  /** Values of the previous period, with as many points as `data`, shown as a dashed line. */
  before?: readonly number[] | undefined;
  /**
   * Whether the chart has two thirds of the usual height, for two charts in a card. @default false
   */
  isLow?: boolean;
  /** Receives the range that the user has selected with the pointer. */
  onSelect?: (fromMs: number, toMs: number) => void;
}

/**
 * Shows a stacked area chart over time. It is drawn on a canvas, so that a thousand points take
 * about as much work as ten.
 */
export function StackedChart(props: StackedChartProps) {
  const { data, layers, label, isByDay = false, before, isLow = false, onSelect } = props;
  const isCompared = before !== undefined;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const latest = useRef({ data, before, onSelect });
  latest.current = { data, before, onSelect };

  useEffect(() => {
    const element = place.current!;
    const draw = () => {
      chart.current?.destroy();
      chart.current = new uPlot(
        optionsOf(element, { layers, isByDay, isCompared }, (...range) => latest.current.onSelect?.(...range)),
        painted(latest.current),
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() => chart.current?.setSize(sizeOf(element)));
    resized.observe(element);
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    window.addEventListener(THEME_CHANGED, draw);
    scheme.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      window.removeEventListener(THEME_CHANGED, draw);
      scheme.removeEventListener('change', draw);
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [layers, isByDay, isCompared]);
  useEffect(() => chart.current?.setData(painted({ data, before })), [data, before]);

  return <div className={isLow ? 'chart chart-low' : 'chart'} ref={place} role="img" aria-label={label} />;
}

/**
 * Returns the data with the highest layer first, because each layer is filled down to zero. The
 * line of the period before comes last, above the layers.
 */
function painted({ data: [times, ...series], before }: Pick<StackedChartProps, 'data' | 'before'>): uPlot.AlignedData {
  const line = before && times.map((_, at) => before[at] ?? null);
  return [times, ...series.toReversed(), ...(line ? [line] : [])] as uPlot.AlignedData;
}

function optionsOf(
  element: HTMLElement,
  { layers, isByDay, isCompared }: { layers: StackedChartProps['layers']; isByDay: boolean; isCompared: boolean },
  onSelect: (fromMs: number, toMs: number) => void,
): uPlot.Options {
  const [line, muted] = [colorOf(element, '--line'), colorOf(element, '--muted')];
  const axis: uPlot.Axis = {
    stroke: muted,
    font: '12px system-ui, sans-serif',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  return {
    ...sizeOf(element),
    ...(isByDay && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') }),
    padding: [8, 20, 0, 0],
    cursor: { points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        size: 32,
        ...(isByDay && { incrs: DAYS }),
        values: (_, seconds) => (isByDay ? seconds.map((one) => utcDay(one * 1000)) : timesOf(seconds)),
      },
      { ...axis, size: 56, values: (_, values) => values.map((value) => short(value)) },
    ],
    series: [
      {},
      ...layers.toReversed().map(({ title, color }) => {
        const stroke = colorOf(element, color);
        return { label: title, stroke, fill: stroke, width: 1, points: { show: false } };
      }),
      ...(isCompared
        ? [
            {
              label: commonText.chart.before,
              stroke: colorOf(element, '--text'),
              width: 2,
              dash: [6, 4],
              points: { show: false },
            },
          ]
        : []),
    ],
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 8) return;
          onSelect(plot.posToVal(left, 'x') * 1000, plot.posToVal(left + width, 'x') * 1000);
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

/** Distances of ticks in a chart by day, in seconds. */
const DAYS = [1, 2, 3, 7, 14, 28, 56].map((days) => days * 86_400);

/**
 * Formats ticks as days if they are at least half a day apart, and otherwise as times of the day.
 */
function timesOf(seconds: number[]): string[] {
  const [first = 0, second = first] = seconds;
  const show = second - first >= 43_200 ? DAY : TIME;
  return seconds.map((one) => show.format(one * 1000));
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: Math.max(element.clientWidth - 16, 64), height: Math.max(element.clientHeight - 8, 64) };
}

/**
 * Returns the computed color of a custom property in the current scheme. A canvas does not accept
 * custom properties.
 */
function colorOf(element: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
