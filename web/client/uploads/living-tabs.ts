type Word = { readonly is: 'who' | 'here'; readonly tab: string }

const CHANNEL = 'dossier.uploads'

/** Tabs answer at once, hidden ones too; a busy one gets so long, in ms. */
const ANSWER_MS = 300

const isWord = (data: unknown): data is Word => typeof data === 'object' && data !== null && 'tab' in data

/** Tells the tabs of this browser apart that are sending files. */
export function joinUploadingTabs(tab: string) {
  const alive = new Set([tab])
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : undefined
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isWord(data)) return
    alive.add(data.tab)
    if (data.is === 'who') channel.postMessage({ is: 'here', tab })
  })
  return {
    /** Asks who else is there, and answers which tabs are. */
    others: (): Promise<(tab: string) => boolean> => {
      channel?.postMessage({ is: 'who', tab })
      return new Promise((resolve) => setTimeout(() => resolve((each) => alive.has(each)), channel ? ANSWER_MS : 0))
    },
  }
}
