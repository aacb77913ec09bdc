/** How long an unfinished upload waits for its next bytes, and a finished file for a record, in ms (contract). */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000

/** When an upload that was touched at `at` dies, ISO 8601 in UTC. */
export const expiryFrom = (at: Date): string => new Date(at.getTime() + UPLOAD_LIFETIME_MS).toISOString()

/** How long an upload may take in all, in ms: one that gets a byte a day must not hold its room forever. */
const MAX_UPLOAD_MS = 7 * UPLOAD_LIFETIME_MS

/** When an open upload that received bytes at `at` expires. */
export const renewedExpiry = ({ createdAt }: { readonly createdAt: string }, at: Date): string =>
  expiryFrom(new Date(Math.min(at.getTime(), Date.parse(createdAt) + MAX_UPLOAD_MS - UPLOAD_LIFETIME_MS)))

/** Whether it is dead by now. */
export const isExpired = ({ expiresAt }: { readonly expiresAt: string }, now: Date): boolean =>
  now.getTime() >= Date.parse(expiresAt)
