import { clearStored } from './browser-storage.ts'
import { clearDatabase } from './clear-database.ts'

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
