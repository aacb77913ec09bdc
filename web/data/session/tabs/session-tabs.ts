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
