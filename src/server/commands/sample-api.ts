import type { DemoTrafficSwitch } from '../../admin/context/admin-sources.js';
import type { Logger } from '../../model/logger.js';
import { hashSecret } from '../../rules/store/hash-secret.js';
import type { Tollgate } from '../../tollgate/create-tollgate.js';
import type { StartServerOptions } from '../start-server-options.js';
import type { Sample, SampleKey } from './load-sample.js';

/**
 * Returns the options of the sample API, with its tiers, its rules, and callers with public keys;
 * with `traffic`, also the simulated callers.
 */
export function sampleApi(
  sample: Sample,
  { traffic = false }: { traffic?: boolean } = {},
): StartServerOptions & Pick<Required<StartServerOptions>, 'schema' | 'context'> {
  return {
    schema: sample.schema,
    context: sample.context,
    tiers: sample.tiers,
    rules: sample.rules,
    mayReportCost: () => true,
    prepare: (tollgate) => addSampleSubjects(tollgate, traffic ? [...sample.keys, ...sample.callers] : sample.keys),
  };
}

/** A served sample API. */
interface ServedSample {
  url: string;
  tollgate: Pick<Tollgate, 'store' | 'health'>;
}

interface SampleTraffic extends DemoTrafficSwitch {
  /**
   * Permits the simulated callers to send operations to a served API. Turns them on if `isOn` is
   * true.
   */
  begin(place: ServedSample, isOn: boolean): void;
  end(): Promise<void>;
}

/** Creates the simulated callers, who send nothing until they are turned on. */
export function sampleTraffic(
  sample: Pick<Sample, 'callers' | 'createTraffic'>,
  logger: Pick<Logger, 'info'>,
): SampleTraffic {
  let served: ServedSample | undefined;
  const traffic = sample.createTraffic({ url: () => served!.url });
  return {
    get isOn() {
      return traffic.isOn;
    },
    begin(place, isOn) {
      served = place;
      if (isOn) traffic.turnOn();
    },
    end: () => traffic.turnOff(),
    async turnOn(actor) {
      if (!served || traffic.isOn) return;
      await addSampleSubjects(served.tollgate, sample.callers);
      traffic.turnOn();
      logger.info(`The simulated callers of the sample API send operations: turned on by ${actor}`);
    },
    async turnOff(actor) {
      if (!traffic.isOn) return;
      await traffic.turnOff();
      logger.info(`The simulated callers of the sample API no longer send operations: turned off by ${actor}`);
    },
  };
}

async function addSampleSubjects(
  { store, health }: Pick<Tollgate, 'store' | 'health'>,
  keys: readonly SampleKey[],
): Promise<void> {
  if (!store || health()?.databaseAway) return;
  const actor = { name: 'tollgate', authMethod: 'SYSTEM' as const };
  for (const { key, subject } of keys) {
    if (await store.findSubjectByApiKeyHash(hashSecret(key))) continue;
    const { user, tenant, tier } = subject;
    const who = { user, ...(tenant !== undefined && { tenant }) };
    await store.upsertSubject({ ...who, tier }, actor);
    await store.createApiKey({ ...who, name: 'Sample API', known: { prefix: key, secret: key } }, actor);
  }
}
