declare module 'dynalite' {
  import type { Server } from 'node:http';
  /** A server of DynamoDB's API, in memory; `createTableMs` is how long a table is being made. */
  export default function dynalite(options?: { createTableMs?: number }): Server;
}
