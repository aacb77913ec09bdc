import { removeStored, setStored, readStored } from '#web/data/storage/browser-storage.ts'
import { clearDatabase } from '#web/data/storage/clear-database.ts'

/** The database in which uploads wait through a reload. */
export const UPLOADS_DATABASE = 'dossier.uploads'

/** Its only store. */
export const UPLOADS_STORE = 'shelf'

/** Kept so that nothing has to be fetched to find out that there is nothing. */
const STORED_FLAG = 'uploads'

/** Whether this browser may hold uploads, of this visit or of an earlier one. */
export const hasStoredUploads = (): boolean => readStored(STORED_FLAG) !== null

/** Notes whether it may. */
export const setStoredFlag = (areKept: boolean): void =>
  areKept ? setStored(STORED_FLAG, 'some') : removeStored(STORED_FLAG)

/** Whoever signs out leaves no file in this browser. */
export function clearUploads(): void {
  if (!hasStoredUploads()) return
  setStoredFlag(false)
  clearDatabase(UPLOADS_DATABASE, UPLOADS_STORE)
}
