import { clearStored, readStored, removeStored, setStored } from './browser-storage.ts'

/** Clears a store in this browser. Deleting the database instead would block while another tab has it open. */
function clearDatabase(database: string, store: string): void {
  const opening = indexedDB.open(database)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store))
  opening.addEventListener('success', () => {
    opening.result.transaction(store, 'readwrite').objectStore(store).clear()
    opening.result.close()
  })
}

export const DRAFTS_DATABASE = 'dossier.drafts'

export const DRAFTS_STORE = 'drafts'

/** Deletes all drafts in this browser when the user signs out. */
export function clearDrafts(): void {
  clearStored('draft.', 'session')
  // Checks the database itself, because a flag can be lost when the browser is killed.
  clearDatabase(DRAFTS_DATABASE, DRAFTS_STORE)
}

export const OFFLINE_DATABASE = 'dossier.offline'

export const COPIES_STORE = 'copies'

export const UNSENT_DATABASE = 'dossier.unsent'

export const UNSENT_STORE = 'records'

/** Deletes the offline startup cache when the user signs out. */
export const clearOffline = (): void => clearDatabase(OFFLINE_DATABASE, COPIES_STORE)

export const UPLOADS_DATABASE = 'dossier.uploads'

export const UPLOADS_STORE = 'shelf'

/** Set while uploads are stored, so that the upload code is loaded only when needed. */
const STORED_FLAG = 'uploads'

export const hasStoredUploads = (): boolean => readStored(STORED_FLAG) !== null

export const setStoredFlag = (areKept: boolean): void =>
  areKept ? setStored(STORED_FLAG, 'some') : removeStored(STORED_FLAG)

/** Deletes all files stored in this browser when the user signs out. */
export function clearUploads(): void {
  if (!hasStoredUploads()) return
  setStoredFlag(false)
  clearDatabase(UPLOADS_DATABASE, UPLOADS_STORE)
}
