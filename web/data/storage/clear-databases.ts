import { clearStored, readStored, removeStored, setStored } from './browser-storage.ts'

/** Empties a store of this browser. Not deleted: another tab may have it open, and would keep it from being deleted. */
function clearDatabase(database: string, store: string): void {
  const opening = indexedDB.open(database)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store))
  opening.addEventListener('success', () => {
    opening.result.transaction(store, 'readwrite').objectStore(store).clear()
    opening.result.close()
  })
}

/** The database in which drafts outlive their tab. */
export const DRAFTS_DATABASE = 'dossier.drafts'

/** Its only store. */
export const DRAFTS_STORE = 'drafts'

/** Whoever signs out leaves nothing that they wrote in this browser. */
export function clearDrafts(): void {
  clearStored('draft.', 'session')
  // Whether there is any is not noted anywhere else: what a browser notes may be lost where it is killed.
  clearDatabase(DRAFTS_DATABASE, DRAFTS_STORE)
}

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
