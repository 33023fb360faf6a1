// Loaded into a process of the platform with `--import`. Each SIGUSR2 triggers the next disturbance
// of DISTURBANCES: `clock:MS` shifts the wall clock, `stall:MS` blocks the event loop. The process
// reports the end of each disturbance on standard output.
let shiftMs = 0;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...args);
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
};

const disturbances = (process.env.DISTURBANCES ?? '').split(',');
process.on('SIGUSR2', () => {
  const disturbance = disturbances.shift() ?? '';
  const [kind, ms] = disturbance.split(':');
  if (kind === 'clock') shiftMs += Number(ms);
  if (kind === 'stall') {
    const endMs = performance.now() + Number(ms);
    while (performance.now() < endMs);
  }
  process.stdout.write(`disturbed by ${disturbance}\n`);
});
