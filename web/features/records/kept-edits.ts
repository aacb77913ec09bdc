import { forget, keep, readKeptJson } from '#web/client/browser-storage.ts'
import { sessionState } from '#web/client/session-state.ts'
import type { KeptEdits } from './record-draft.ts'

/** Whose edits they are, and of which record: nobody ever stores what somebody else wrote. */
export type EditsOwner = { readonly userId: string; readonly record: string }

const keyOf = ({ userId, record }: EditsOwner) => `draft.${userId}.${record}`

/** Whoever signs out leaves nothing behind; a session that died is come back to. */
function hasSignedOut(): boolean {
  const { ending } = sessionState.snapshot()
  return ending === 'signed-out' || ending === 'signed-out-elsewhere'
}

const isKept = (value: unknown): value is KeptEdits =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'number' &&
  'edits' in value &&
  typeof value.edits === 'object' &&
  value.edits !== null

/** Edits of a record that were not stored when its page was left, in this tab. */
export function keptEdits(owner: EditsOwner): KeptEdits | undefined {
  const kept = readKeptJson(keyOf(owner), 'session')
  return isKept(kept) ? kept : undefined
}

/** Keeps edits through a reload until they are stored. Files on their way are not among them. */
export function keepEdits(owner: EditsOwner, kept: KeptEdits): void {
  if (Object.keys(kept.edits).length === 0) forget(keyOf(owner), 'session')
  else if (!hasSignedOut()) keep(keyOf(owner), JSON.stringify(kept), 'session')
}
