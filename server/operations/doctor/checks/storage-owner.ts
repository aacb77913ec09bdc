import { storageIds } from '#server/files/ownership/claim-storage.ts'
import type { Check } from '#server/operations/doctor/check.ts'

/** Database and storage have the same workspace id, where both have one. */
export const checkStorageOwner: Check = {
  name: 'The file storage belongs to this workspace',
  run: async (patient) => {
    const { databaseId, storageId } = await storageIds(patient)
    if (databaseId === undefined || storageId === undefined || databaseId === storageId) return []
    return [`The storage belongs to workspace ${storageId}, but the database belongs to workspace ${databaseId}.`]
  },
}
