/** Options for waiting on a busy machine: `vi.waitFor(…, SOON)`. */
export const EVENTUALLY = { timeout: 20_000, interval: 20 } as const
