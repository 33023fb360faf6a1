import { fromNow, fullMoment, momentOf, TIME_ZONE } from './moments.js';

/** Shows a moment, with the full date and time as a tooltip. */
export function Moment({ at, relative = false }: { at: string; relative?: boolean }) {
  return (
    <time dateTime={at} title={`${fullMoment(at)}, ${TIME_ZONE}`}>
      {relative ? fromNow(at) : momentOf(at)}
    </time>
  );
}
