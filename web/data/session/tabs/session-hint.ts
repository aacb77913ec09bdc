import { removeStored, setStored, readStored } from '#web/data/storage/browser-storage.ts'

/**
 * What is remembered about the cookie that scripts cannot see: whose session there may be to restore; that a sign-out has
 * not reached the server yet (`leaving`), so nothing may be restored; or that it has (`left`). null: nothing is known, or
 * this browser keeps nothing. Nothing of it is secret.
 */
export type SessionHint = { readonly userId: string } | 'leaving' | 'left' | null

const KEY = 'session'
const OF_USER = 'user:'

/** What is remembered in this browser. */
export function readHint(): SessionHint {
  const kept = readStored(KEY)
  if (kept === 'leaving' || kept === 'left') return kept
  return kept?.startsWith(OF_USER) === true ? { userId: kept.slice(OF_USER.length) } : null
}

/** Remembers it for all tabs. */
export function storeHint(hint: SessionHint): void {
  if (hint === null) removeStored(KEY)
  else setStored(KEY, typeof hint === 'string' ? hint : OF_USER + hint.userId)
}

/** Calls whenever another tab remembers something else: a second way to hear of it where tabs have no channel. */
export function onHintChange(hear: (hint: SessionHint) => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key?.endsWith(`.${KEY}`) === true) hear(readHint())
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}
