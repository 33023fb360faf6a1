import { describeServer } from './servers/describe-server.js';
import { startAsgiServer } from './servers/start-server.js';

describeServer('the middleware for ASGI, a Python server that asks for decisions', startAsgiServer);
