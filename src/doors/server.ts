// The door `tollgate/server`: the platform, with an API of one's own.
export { type Config, ConfigError, loadConfig } from '../server/config/config.js';
export type { ApiContext } from '../server/serve-api.js';
export { type RunningServer, type StartServerOptions, startServer } from '../server/start-server.js';
