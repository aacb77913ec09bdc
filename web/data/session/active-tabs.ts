type TabMessage = { readonly is: 'who' | 'here'; readonly tab: string }

/** Time in ms to wait for replies from other tabs; hidden tabs reply immediately, busy tabs may miss the deadline. */
const REPLY_TIMEOUT_MS = 300

const isTabMessage = (data: unknown): data is TabMessage => typeof data === 'object' && data !== null && 'tab' in data

export function joinActiveTabs(kind: string, tab: string) {
  const alive = new Set([tab])
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(kind) : undefined
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isTabMessage(data)) return
    alive.add(data.tab)
    if (data.is === 'who') channel.postMessage({ is: 'here', tab })
  })
  return {
    others: (): Promise<(tab: string) => boolean> => {
      channel?.postMessage({ is: 'who', tab })
      return new Promise((resolve) =>
        setTimeout(() => resolve((each) => alive.has(each)), channel ? REPLY_TIMEOUT_MS : 0),
      )
    },
  }
}
