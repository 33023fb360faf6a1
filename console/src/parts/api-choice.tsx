import type { ApisInUse } from '../api/use-apis.js';
import { commonText } from '../text/common-text.js';

/** Shows which API a page is about, and lets the user choose another one if there are several. */
export function ApiChoice({ apis = [], service, choose }: ApisInUse) {
  const [only] = apis;
  if (only === undefined) return null;
  if (apis.length === 1 && only.service === service) {
    return (
      <span className="muted">
        {commonText.api.label}: <bdi className="name">{only.title}</bdi>
      </span>
    );
  }
  return (
    <label className="api-choice">
      <span className="muted">{commonText.api.label}</span>
      <select
        className="select"
        value={service ?? ''}
        onChange={({ target }) => choose(target.value === '' ? null : target.value)}
      >
        {/* A link may name an API that no longer exists. */}
        {!apis.some((api) => api.service === service) && <option value={service ?? ''}>{service}</option>}
        {apis.map(({ service: value, title }) => (
          <option key={title} value={value ?? ''}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
