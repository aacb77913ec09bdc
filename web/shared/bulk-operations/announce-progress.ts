import { notify } from '#web/ui/toast/notify.ts'

/** What takes longer than this says so, in ms. */
const ANNOUNCE_AFTER_MS = 1000

/** Says in a toast of this id that something is going on, unless it ends within a second; answers what ends it. */
export function announceProgress(id: string, text: string): () => void {
  let isSaid = false
  const timer = setTimeout(() => {
    isSaid = true
    notify.info(text, { id, stays: true })
  }, ANNOUNCE_AFTER_MS)
  return () => {
    clearTimeout(timer)
    if (isSaid) notify.dismiss(id)
  }
}
