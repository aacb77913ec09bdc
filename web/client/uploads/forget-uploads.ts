import { forget, keep, readKept } from '../browser-storage.ts'
import { clearStore } from '../clear-store.ts'

/** The database in which uploads wait through a reload. */
export const SHELF = 'dossier.uploads'

/** Its only store. */
export const SHELF_STORE = 'shelf'

/** Kept so that nothing has to be fetched to find out that there is nothing. */
const MARK = 'uploads'

/** Whether this browser may hold uploads, of this visit or of an earlier one. */
export const areUploadsKept = (): boolean => readKept(MARK) !== null

/** Notes whether it may. */
export const markUploads = (areKept: boolean): void => (areKept ? keep(MARK, 'some') : forget(MARK))

/** Whoever signs out leaves no file in this browser. */
export function forgetUploads(): void {
  if (!areUploadsKept()) return
  markUploads(false)
  clearStore(SHELF, SHELF_STORE)
}
