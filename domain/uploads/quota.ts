/** Storage used, in bytes. */
export type StorageUsage = {
  readonly used: number
  readonly reserved: number
}

/** The largest integer a double represents exactly. */
export const MAX_QUOTA_BYTES = Number.MAX_SAFE_INTEGER

/** In bytes: finished files, and open uploads of the user and of others. */
export type Reservations = {
  readonly used: number
  readonly own: number
  readonly others: number
  readonly quarantined?: number
}

/**
 * Bytes a user may still announce; null: no quota. Open uploads of others take at most half of the free space, so
 * announcing files can't lock anyone out. Quarantined files may take as much again as the quota, so repeated uploads
 * and deletions can't fill the disk.
 */
export function availableBytes({ used, own, others, quarantined = 0 }: Reservations, quota: number | null): number {
  if (quota === null) return Number.POSITIVE_INFINITY
  const free = quota - used
  const beside = free + quota - quarantined
  return Math.max(0, Math.min(free - Math.min(others, Math.floor(free / 2)), beside) - own)
}

/** `left` is null for users who must not see the remaining space. */
export function quotaExceededMessage(
  file: { readonly name: string; readonly bytes: number },
  left: number | null,
): string {
  if (left === null) return 'The workspace has reached its storage limit. Ask an owner to raise it or delete files.'
  return `“${file.name}” is ${inMegabytes(file.bytes)} MB, but only ${inMegabytes(left)} MB of storage is left. Delete files or raise the limit in Settings → Workspace.`
}

/** Three decimals if needed, so that different sizes never look equal. */
export const inMegabytes = (bytes: number): string =>
  (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: bytes < 10_000_000 ? 6 : 3 })

const NO_QUOTA = 'none'

/** The language-independent format of the audit log. */
export const printQuota = (bytes: number | null): string => (bytes === null ? NO_QUOTA : String(bytes))

/** Old entries that contain English text are left unchanged. */
export function describeStoredQuota(stored: string): string {
  if (stored === NO_QUOTA) return 'no limit'
  // Without thousands separators, which other languages read as decimals.
  const megabytes = Number(stored) / 1_000_000
  return /^\d+$/.test(stored) ? `${megabytes} MB` : stored
}
