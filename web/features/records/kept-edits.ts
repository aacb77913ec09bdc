import { forget, keep, readKept, readKeptJson } from '#web/client/browser-storage.ts'
import type { DraftOwner, ShelvedDraft } from '#web/client/draft-shelf.ts'
import { hasSignedOut, sessionState } from '#web/client/session-state.ts'
import { unsentChanges } from '#web/client/unsent-changes.ts'
import { later } from '#web/kit/later.ts'
import { heldSavers } from './held-savers.ts'
import type { KeptEdits } from './record-draft.ts'

/** What outlives the tab; it comes with the first record that is opened. */
const shelf = later(async () => (await import('#web/client/draft-shelf.ts')).openDraftShelf())

const keyOf = ({ userId, record }: Pick<DraftOwner, 'userId' | 'record'>) => `draft.${userId}.${record}`

const isKept = (value: unknown): value is KeptEdits =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'number' &&
  'edits' in value &&
  typeof value.edits === 'object' &&
  value.edits !== null &&
  (!('disputed' in value) || Array.isArray(value.disputed))

/** Edits of a record that were not stored when its page was left, in this tab. */
export function keptEdits(owner: DraftOwner): KeptEdits | undefined {
  const kept = readKeptJson(keyOf(owner), 'session')
  return isKept(kept) ? kept : undefined
}

/** Offers the edits of a record that a tab left behind which is no more: it crashed, or its browser did. */
export async function offerLeftEdits(owner: DraftOwner, isTaken: (left: KeptEdits) => boolean): Promise<void> {
  const { take } = await shelf.load()
  await take(owner, (text) => {
    const left: unknown = JSON.parse(text)
    return isKept(left) && isTaken(left)
  })
}

/**
 * Keeps edits until they are stored: in this tab through a reload, and in this browser through the end of the tab. Files on
 * their way are not among them. `waiting`: how many are sent by themselves, while others were refused or are disputed.
 */
export function keepEdits(owner: DraftOwner, kept: KeptEdits, waiting: number): void {
  unsentChanges.tell(keyOf(owner), waiting)
  if (Object.keys(kept.edits).length === 0) {
    forget(keyOf(owner), 'session')
    latest.delete(keyOf(owner))
    shelf.current()?.forget(owner)
  } else if (!hasSignedOut(sessionState.snapshot())) {
    const text = JSON.stringify(kept)
    keep(keyOf(owner), text, 'session')
    latest.set(keyOf(owner), text)
    // Whoever signs out in that moment leaves nothing either.
    shelf.current()?.keep(owner, () => (hasSignedOut(sessionState.snapshot()) ? undefined : latest.get(keyOf(owner))))
  }
}

/** What is to be put on the shelf, once it is its time. */
const latest = new Map<string, string>()

/** What this browser keeps unsaved of somebody, one of each record, the newest first. */
export const draftsOf = async (userId: string): Promise<readonly ShelvedDraft[]> => (await shelf.load()).list(userId)

/** Throws the draft of a record away; the answer puts it back. */
export async function discardDraft(owner: DraftOwner): Promise<() => Promise<void>> {
  const key = keyOf(owner)
  const kept = readKept(key, 'session')
  unsentChanges.tell(key, 0)
  forget(key, 'session')
  latest.delete(key)
  const putBack = await (await shelf.load()).discard(owner)
  // One that still waits for the server is not to send it after all.
  heldSavers.of(owner)?.discard()
  return async () => {
    if (kept !== null) keep(key, kept, 'session')
    await putBack()
  }
}
