import { removeStored, setStored, readStored, readStoredJson } from '#web/data/storage/browser-storage.ts'
import type { DraftOwner, StoredDraft } from '#web/data/storage/draft-storage.ts'
import { hasSignedOut, sessionState } from '#web/data/session/session-state.ts'
import { pendingChanges } from '#web/data/connection/connection-state.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { activeSavers } from './active-savers.ts'
import type { StoredEdits } from './record-draft.ts'

/** Persistent storage, loaded when a record is first opened. */
const draftStorage = lazyModule(async () => (await import('#web/data/storage/draft-storage.ts')).openDraftStorage())

const keyOf = ({ userId, record }: Pick<DraftOwner, 'userId' | 'record'>) => `draft.${userId}.${record}`

const isStoredEdits = (value: unknown): value is StoredEdits =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'number' &&
  'edits' in value &&
  typeof value.edits === 'object' &&
  value.edits !== null &&
  (!('disputed' in value) || Array.isArray(value.disputed))

/** Unsaved edits made in this tab before the user left the page. */
export function unsavedEdits(owner: DraftOwner): StoredEdits | undefined {
  const kept = readStoredJson(keyOf(owner), 'session')
  return isStoredEdits(kept) ? kept : undefined
}

/** Offers to restore edits after a tab or browser crash. */
export async function recoverEdits(owner: DraftOwner, isTaken: (left: StoredEdits) => boolean): Promise<void> {
  const { take } = await draftStorage.load()
  await take(owner, (text) => {
    const left: unknown = JSON.parse(text)
    return isStoredEdits(left) && isTaken(left)
  })
}

/** Stores edits in this tab and this browser until they are saved. `waiting`: the number of edits that will be sent. */
export function storeEdits(owner: DraftOwner, kept: StoredEdits, waiting: number): void {
  pendingChanges.tell(keyOf(owner), waiting)
  if (Object.keys(kept.edits).length === 0) {
    removeStored(keyOf(owner), 'session')
    latest.delete(keyOf(owner))
    draftStorage.get()?.forget(owner)
  } else if (!hasSignedOut(sessionState.get())) {
    const text = JSON.stringify(kept)
    setStored(keyOf(owner), text, 'session')
    latest.set(keyOf(owner), text)
    // Not stored if the user has signed out in the meantime.
    draftStorage.get()?.keep(owner, () => (hasSignedOut(sessionState.get()) ? undefined : latest.get(keyOf(owner))))
  }
}

/** Drafts that haven't been stored yet. */
const latest = new Map<string, string>()

/** One draft per record, newest first. */
export const draftsOf = async (userId: string): Promise<readonly StoredDraft[]> =>
  (await draftStorage.load()).list(userId)

/** Deletes a draft and returns a function that restores it. */
export async function discardDraft(owner: DraftOwner): Promise<() => Promise<void>> {
  const key = keyOf(owner)
  const kept = readStored(key, 'session')
  pendingChanges.tell(key, 0)
  removeStored(key, 'session')
  latest.delete(key)
  const putBack = await (await draftStorage.load()).discard(owner)
  // Also stops a pending save.
  activeSavers.of(owner)?.discard()
  return async () => {
    if (kept !== null) setStored(key, kept, 'session')
    await putBack()
  }
}
