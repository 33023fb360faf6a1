import { useState } from 'react';
import { useAdmin, useChange } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { DemoTrafficDocument, SetDemoTrafficDocument } from '../../generated/graphql.js';
import { overviewText } from '../../text/overview-text.js';
import { problemsOf } from '../callers/problems-of.js';

/**
 * Shows a notice that the numbers include simulated callers, with a switch. It is hidden if no
 * sample API is served.
 */
export function DemoTraffic() {
  const { demo } = overviewText;
  const mayChange = useMay()('OPERATOR');
  const { data } = useAdmin(DemoTrafficDocument, {});
  const set = useChange(SetDemoTrafficDocument);
  const [problem, setProblem] = useState<string>();
  const isOn = data?.demoTraffic?.isOn;
  if (isOn === undefined) return null;
  const turn = async () => setProblem(await problemsOf(() => set.mutateAsync({ isOn: !isOn })));
  return (
    <div className="notice">
      <div>
        <strong>{isOn ? demo.running : demo.stopped}</strong>
        <p>{demo.hint}</p>
        {problem !== undefined && <p role="alert">{problem}</p>}
        {mayChange && (
          <button type="button" className="button" disabled={set.isPending} onClick={() => void turn()}>
            {isOn ? demo.stop : demo.start}
          </button>
        )}
      </div>
    </div>
  );
}
