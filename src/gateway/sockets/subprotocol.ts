/** Subprotocol of WebSockets for GraphQL: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md */
export const SUBPROTOCOL = 'graphql-transport-ws';
