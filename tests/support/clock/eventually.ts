/** Options for `vi.waitFor` and `expect.poll` on a busy machine. */
export const EVENTUALLY = { timeout: 20_000, interval: 20 } as const
