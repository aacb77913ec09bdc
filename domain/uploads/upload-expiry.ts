/** How long an unfinished upload waits for its next bytes, and a finished file for a record, in ms (contract). */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000

/** When an upload that was touched at `at` dies, ISO 8601 in UTC. */
export const expiryFrom = (at: Date): string => new Date(at.getTime() + UPLOAD_LIFETIME_MS).toISOString()

/** Whether it is dead by now. */
export const isExpired = ({ expiresAt }: { readonly expiresAt: string }, now: Date): boolean =>
  now.getTime() >= Date.parse(expiresAt)
