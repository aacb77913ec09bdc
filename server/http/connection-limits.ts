/** Connections at a time, idle ones included; one more is closed. Below what a process may have open on most machines (4096). */
export const MOST_CONNECTIONS = 3000

/** How long connections may take, in ms. */
export const CONNECTION_TIMES = {
  /** For a whole request: without end, because a file may be on its way for hours. JSON has a limit of its own (`read-json.ts`). */
  requestTimeout: 0,
  /** For nothing at all to move, in or out: an answer that nobody reads, a body that does not come. */
  connectionTimeout: 5 * 60_000,
  /** Between two requests: longer than the minute a proxy keeps its connections, so that it is never ours that ends under one. */
  keepAliveTimeout: 72_000,
  http: {
    /** For the head of a request: one packet, mostly. */
    headersTimeout: 20_000,
    /** How often Node looks. */
    connectionsCheckingInterval: 5000,
  },
} as const
