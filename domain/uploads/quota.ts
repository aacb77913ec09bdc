/** What files take in the workspace, in bytes. */
export type StorageUsage = {
  /** Of finished files; bytes that several of them share count once. */
  readonly used: number
  /** Announced by uploads that are still open. */
  readonly reserved: number
}

/** Largest quota there may be, in bytes: what a double counts exactly. */
export const MAX_QUOTA_BYTES = Number.MAX_SAFE_INTEGER

/** What one user's next file competes with, in bytes: finished files, and the open uploads of that user and of others. */
export type Reservations = {
  readonly used: number
  readonly own: number
  readonly others: number
  /** Of deleted files that are still in quarantine. */
  readonly quarantined?: number
}

/**
 * Bytes a user may still announce. A workspace without a quota (null) has no bound. Open uploads of others take at most half
 * of the free room, so announcing files without sending them locks nobody out. Deleted files in quarantine may take as much
 * again as the quota, so uploading and deleting in turns cannot fill the disk.
 */
export function availableBytes({ used, own, others, quarantined = 0 }: Reservations, quota: number | null): number {
  if (quota === null) return Number.POSITIVE_INFINITY
  const free = quota - used
  const beside = free + quota - quarantined
  return Math.max(0, Math.min(free - Math.min(others, Math.floor(free / 2)), beside) - own)
}

/** Why a file finds no room, in words: how much there is left is only for those who look after the workspace. */
export function quotaExceededMessage(
  file: { readonly name: string; readonly bytes: number },
  left: number | null,
): string {
  if (left === null) return 'The workspace has reached its storage limit. Ask an owner to raise it or delete files.'
  return `“${file.name}” is ${inMegabytes(file.bytes)} MB, but only ${inMegabytes(left)} MB of the storage limit are left. Delete files or raise the limit in Settings → Workspace.`
}

/** A size in megabytes, to three digits behind the point where it matters, so that two that differ never read the same. */
export const inMegabytes = (bytes: number): string =>
  (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: bytes < 10_000_000 ? 6 : 3 })

const NO_QUOTA = 'none'

/** A quota as the audit log keeps it: in no language. */
export const printQuota = (bytes: number | null): string => (bytes === null ? NO_QUOTA : String(bytes))

/** A quota that the audit log keeps, in words; what was written down in words stays as it is. */
export function describeStoredQuota(stored: string): string {
  if (stored === NO_QUOTA) return 'no limit'
  // Without signs between thousands: in another language they would be read as a point.
  const megabytes = Number(stored) / 1_000_000
  return /^\d+$/.test(stored) ? `${megabytes} MB` : stored
}
