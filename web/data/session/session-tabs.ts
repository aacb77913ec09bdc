import { readStored, removeStored, setStored } from '#web/data/storage/browser-storage.ts'

/** A message between tabs. It never contains a token; each tab requests its own from the server. */
export type TabMessage = { readonly type: 'signed-in'; readonly userId: string } | { readonly type: 'signed-out' }

const CHANNEL = 'dossier.session'

const isTabMessage = (data: unknown): data is TabMessage =>
  typeof data === 'object' && data !== null && 'type' in data && (data.type === 'signed-out' || 'userId' in data)

export function joinTabs(hear: (news: TabMessage) => void) {
  // In private mode, some browsers support BroadcastChannel only on secure pages.
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
 * What this browser knows about the HttpOnly cookie: the user whose session may be restored; `leaving` if a sign-out
 * hasn't reached the server yet, so no session may be restored; `left` if it has; null if unknown. Contains no secrets.
 */
export type SessionHint = { readonly userId: string } | 'leaving' | 'left' | null

const KEY = 'session'
const OF_USER = 'user:'

export function readHint(): SessionHint {
  const kept = readStored(KEY)
  if (kept === 'leaving' || kept === 'left') return kept
  return kept?.startsWith(OF_USER) === true ? { userId: kept.slice(OF_USER.length) } : null
}

export function storeHint(hint: SessionHint): void {
  if (hint === null) removeStored(KEY)
  else setStored(KEY, typeof hint === 'string' ? hint : OF_USER + hint.userId)
}

/** Set if the session ends when the browser closes; nothing is then cached for offline startup. */
export const TRANSIENT_KEY = 'transient'

export const setTransient = (endsWithBrowser: boolean): void =>
  endsWithBrowser ? setStored(TRANSIENT_KEY, 'yes') : removeStored(TRANSIENT_KEY)

/** Reports changes that another tab makes to the stored hint: a fallback for browsers without BroadcastChannel. */
export function onHintChange(hear: (hint: SessionHint) => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key?.endsWith(`.${KEY}`) === true) hear(readHint())
  })
}
