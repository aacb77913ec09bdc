/** How long to wait for what happens by itself, and at once, on a machine that may be busy: `vi.waitFor(…, SOON)`. */
export const EVENTUALLY = { timeout: 20_000, interval: 20 } as const
