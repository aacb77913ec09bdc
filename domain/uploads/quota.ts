/** What files take in the workspace, in bytes. */
export type StorageUsage = {
  /** Of finished files; bytes that several of them share count once. */
  readonly used: number
  /** Announced by uploads that are still open. */
  readonly reserved: number
}

/** Largest quota there may be, in bytes: what a double counts exactly. */
export const HIGHEST_QUOTA_BYTES = Number.MAX_SAFE_INTEGER

/** How many bytes may still be announced; never less than none. A workspace without a quota (null) has no bound. */
export const roomLeft = ({ used, reserved }: StorageUsage, quota: number | null): number =>
  quota === null ? Number.POSITIVE_INFINITY : Math.max(0, quota - used - reserved)

/** Whether more is used and announced than there may be. */
export const isOverQuota = ({ used, reserved }: StorageUsage, quota: number | null): boolean =>
  quota !== null && used + reserved > quota

/** Why a file finds no room, in words: how much there is left is only for those who look after the workspace. */
export function noRoomMessage(file: { readonly name: string; readonly bytes: number }, left: number | null): string {
  if (left === null) return 'The workspace is full, so no more files can be taken in. Tell an owner of the workspace.'
  return `“${file.name}” has ${inMegabytes(file.bytes)} MB, and ${inMegabytes(left)} MB are left of what files may take in this workspace. Remove files, or allow more under Settings, Workspace.`
}

/** A size in megabytes, to three digits behind the point where it matters, so that two that differ never read the same. */
export const inMegabytes = (bytes: number): string =>
  (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: bytes < 10_000_000 ? 6 : 3 })

const NO_QUOTA = 'none'

/** A quota as the audit log keeps it: in no language. */
export const printQuota = (bytes: number | null): string => (bytes === null ? NO_QUOTA : String(bytes))

/** A quota that the audit log keeps, in words; what was written down in words stays as it is. */
export function keptQuotaInWords(kept: string): string {
  if (kept === NO_QUOTA) return 'no limit'
  // Without signs between thousands: in another language they would be read as a point.
  const megabytes = Number(kept) / 1_000_000
  return /^\d+$/.test(kept) ? `${megabytes} MB` : kept
}
