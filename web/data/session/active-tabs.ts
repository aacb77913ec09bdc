type TabMessage = { readonly is: 'who' | 'here'; readonly tab: string }

/** Tabs answer at once, hidden ones too; a busy one gets so long, in ms. */
const REPLY_TIMEOUT_MS = 300

const isTabMessage = (data: unknown): data is TabMessage => typeof data === 'object' && data !== null && 'tab' in data

/** Tells the tabs of this browser apart that keep something of the same kind, each under a name of its own. */
export function joinActiveTabs(kind: string, tab: string) {
  const alive = new Set([tab])
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(kind) : undefined
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isTabMessage(data)) return
    alive.add(data.tab)
    if (data.is === 'who') channel.postMessage({ is: 'here', tab })
  })
  return {
    /** Asks who else is there, and answers which tabs are. */
    others: (): Promise<(tab: string) => boolean> => {
      channel?.postMessage({ is: 'who', tab })
      return new Promise((resolve) =>
        setTimeout(() => resolve((each) => alive.has(each)), channel ? REPLY_TIMEOUT_MS : 0),
      )
    },
  }
}
