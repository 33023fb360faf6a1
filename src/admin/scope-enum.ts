import { registerEnumType } from 'type-graphql';
import type { Scope } from '../model/rule.js';

export const Scopes = {
  GLOBAL: 'GLOBAL',
  TENANT: 'TENANT',
  USER: 'USER',
  API_KEY: 'API_KEY',
  IP: 'IP',
} as const satisfies { [Name in Scope]: Name };

registerEnumType(Scopes, {
  name: 'Scope',
  description: 'Who shares a counter.',
  valuesConfig: {
    GLOBAL: { description: 'Everybody.' },
    TENANT: { description: 'The users and keys of one tenant.' },
    USER: { description: 'One principal: the user, else the API key, else the address.' },
    API_KEY: { description: 'Whoever uses one API key.' },
    IP: { description: 'Whoever comes from one address (IPv6: one /64).' },
  },
});
