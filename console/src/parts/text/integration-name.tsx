import { commonText } from '../../text/common-text.js';
import { Name } from './name.js';

/** Shows an integration of the decision service. Null stands for operations that no other server executes. */
export function IntegrationName({ name }: { name: string | null | undefined }) {
  return name ? <Name>{name}</Name> : <em className="muted">{commonText.noIntegration}</em>;
}
