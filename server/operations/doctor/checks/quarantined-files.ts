import { QUARANTINE_DAYS } from '#domain/uploads/quarantine.ts'
import { blobCounts } from '#server/files/blobs/remove-blobs.ts'
import { findUnknownFiles } from '#server/files/blobs/unknown-files.ts'
import type { Check } from '#server/operations/doctor/check.ts'

const describeFiles = (count: number, bytes: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'} with ${bytes.toLocaleString('en')} bytes`

/** What takes room although no record uses it. */
export const checkQuarantinedFiles: Check = {
  name: `Unused files are kept for ${QUARANTINE_DAYS} days`,
  isNote: true,
  run: async ({ database, now }) => {
    const { quarantined, quarantinedBytes, due, dueBytes } = await blobCounts({ database, clock: () => now })
    if (quarantined === 0) return []
    return [
      `${describeFiles(quarantined, quarantinedBytes)}; ${describeFiles(due, dueBytes)} will be deleted by the next cleanup.`,
    ]
  },
}

/** What the storage has and the database has never heard of: files of a later state, or of somebody else. */
export const checkUnknownFiles: Check = {
  name: 'Unknown files in the storage are kept',
  isNote: true,
  run: async (patient) => {
    const { count, bytes, sample } = await findUnknownFiles(patient)
    return count === 0 ? [] : [`${describeFiles(count, bytes)}, such as ${sample.join(', ')}`]
  },
}
