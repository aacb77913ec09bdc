import { forgetAll } from './browser-storage.ts'
import { clearStore } from './clear-store.ts'

/** The database in which drafts outlive their tab. */
export const DRAFTS = 'dossier.drafts'

/** Its only store. */
export const DRAFTS_STORE = 'drafts'

/** Whoever signs out leaves nothing that they wrote in this browser. */
export function forgetDrafts(): void {
  forgetAll('draft.', 'session')
  // Whether there is any is not noted anywhere else: what a browser notes may be lost where it is killed.
  clearStore(DRAFTS, DRAFTS_STORE)
}
