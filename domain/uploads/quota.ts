/** Storage used, in bytes. */
export type StorageUsage = {
  readonly used: number
  readonly reserved: number
}

/** The largest integer a double represents exactly. */
export const MAX_QUOTA_BYTES = Number.MAX_SAFE_INTEGER

/** In bytes: finished files, the user's open uploads, and other users' open uploads. */
export type Reservations = {
  readonly used: number
  readonly own: number
  readonly others: number
  readonly quarantined?: number
}

/**
 * Bytes that a user may still declare for uploads; null: no quota. Other users' open uploads count up to half of the
 * free space, so declaring large files can't block anyone. Quarantined files may use as much space again as the quota,
 * so repeated uploads and deletions can't fill the disk.
 */
export function availableBytes({ used, own, others, quarantined = 0 }: Reservations, quota: number | null): number {
  if (quota === null) return Number.POSITIVE_INFINITY
  const free = quota - used
  const beside = free + quota - quarantined
  return Math.max(0, Math.min(free - Math.min(others, Math.floor(free / 2)), beside) - own)
}

/** `left` is null for users who aren't allowed to see the remaining space. */
export function quotaExceededMessage(
  file: { readonly name: string; readonly bytes: number },
  left: number | null,
): string {
  if (left === null) return 'The workspace has reached its storage limit. Ask an owner to raise it or delete files.'
  return `“${file.name}” is ${inMegabytes(file.bytes)} MB, but only ${inMegabytes(left)} MB of storage is left. Delete files or raise the limit in Settings → Workspace.`
}

/** Uses up to three decimals, so that different sizes never look equal. */
export const inMegabytes = (bytes: number): string =>
  (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: bytes < 10_000_000 ? 6 : 3 })

const NO_QUOTA = 'none'

/** Language-independent format used in the audit log. */
export const printQuota = (bytes: number | null): string => (bytes === null ? NO_QUOTA : String(bytes))

/** Older entries contain English text and are returned unchanged. */
export function describeStoredQuota(stored: string): string {
  if (stored === NO_QUOTA) return 'no limit'
  // Omits thousands separators, which some languages read as decimal separators.
  const megabytes = Number(stored) / 1_000_000
  return /^\d+$/.test(stored) ? `${megabytes} MB` : stored
}
