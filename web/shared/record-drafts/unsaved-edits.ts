import { removeStored, setStored, readStored, readStoredJson } from '#web/data/storage/browser-storage.ts'
import type { DraftOwner, StoredDraft } from '#web/data/storage/draft-storage.ts'
import { hasSignedOut, sessionState } from '#web/data/session/session-state.ts'
import { pendingChanges } from '#web/data/connection/connection-state.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { activeSavers } from './active-savers.ts'
import type { StoredEdits } from './record-draft.ts'

/** What outlives the tab; it comes with the first record that is opened. */
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

/** Edits of a record that were not stored when its page was left, in this tab. */
export function unsavedEdits(owner: DraftOwner): StoredEdits | undefined {
  const kept = readStoredJson(keyOf(owner), 'session')
  return isStoredEdits(kept) ? kept : undefined
}

/** Offers the edits of a record that a tab left behind which is no more: it crashed, or its browser did. */
export async function recoverEdits(owner: DraftOwner, isTaken: (left: StoredEdits) => boolean): Promise<void> {
  const { take } = await draftStorage.load()
  await take(owner, (text) => {
    const left: unknown = JSON.parse(text)
    return isStoredEdits(left) && isTaken(left)
  })
}

/**
 * Keeps edits until they are stored: in this tab through a reload, and in this browser through the end of the tab. Files on
 * their way are not among them. `waiting`: how many are sent by themselves, while others were refused or are disputed.
 */
export function storeEdits(owner: DraftOwner, kept: StoredEdits, waiting: number): void {
  pendingChanges.tell(keyOf(owner), waiting)
  if (Object.keys(kept.edits).length === 0) {
    removeStored(keyOf(owner), 'session')
    latest.delete(keyOf(owner))
    draftStorage.current()?.forget(owner)
  } else if (!hasSignedOut(sessionState.snapshot())) {
    const text = JSON.stringify(kept)
    setStored(keyOf(owner), text, 'session')
    latest.set(keyOf(owner), text)
    // Whoever signs out in that moment leaves nothing either.
    draftStorage
      .current()
      ?.keep(owner, () => (hasSignedOut(sessionState.snapshot()) ? undefined : latest.get(keyOf(owner))))
  }
}

/** What is to be put on the shelf, once it is its time. */
const latest = new Map<string, string>()

/** What this browser keeps unsaved of somebody, one of each record, the newest first. */
export const draftsOf = async (userId: string): Promise<readonly StoredDraft[]> =>
  (await draftStorage.load()).list(userId)

/** Throws the draft of a record away; the answer puts it back. */
export async function discardDraft(owner: DraftOwner): Promise<() => Promise<void>> {
  const key = keyOf(owner)
  const kept = readStored(key, 'session')
  pendingChanges.tell(key, 0)
  removeStored(key, 'session')
  latest.delete(key)
  const putBack = await (await draftStorage.load()).discard(owner)
  // One that still waits for the server is not to send it after all.
  activeSavers.of(owner)?.discard()
  return async () => {
    if (kept !== null) setStored(key, kept, 'session')
    await putBack()
  }
}
