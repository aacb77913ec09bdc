import { readStored, removeStored, setStored } from '#web/data/storage/browser-storage.ts'

/** What one tab tells the others. Never a token: each tab asks the server itself. */
export type TabMessage = { readonly type: 'signed-in'; readonly userId: string } | { readonly type: 'signed-out' }

const CHANNEL = 'dossier.session'

const isTabMessage = (data: unknown): data is TabMessage =>
  typeof data === 'object' && data !== null && 'type' in data && (data.type === 'signed-out' || 'userId' in data)

/** Joins the tabs of this browser: `tell` reaches all others, `hear` is called with what they tell. */
export function joinTabs(hear: (news: TabMessage) => void) {
  // Every browser we serve has it, yet private modes of some give it only to secure pages.
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : undefined
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isTabMessage(data)) hear(data)
  })
  return {
    tell: (news: TabMessage) => channel?.postMessage(news),
    leave: () => channel?.close(),
  }
}

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
