/** Longest a step waits for its element before it is passed over. */
const ELEMENT_WAIT_MS = 10_000

/** What not everybody has is not waited for longer than a page takes to be drawn. */
export const OPTIONAL_WAIT_MS = 500

/** The first element that can be seen: what has no room on a phone is drawn there in another way. */
export function findVisible(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.getClientRects().length > 0)
}

/** Answers true as soon as an element can be seen, false when it did not come in time or is no longer waited for. */
export function waitForElement(selector: string, signal: AbortSignal, waitMs = ELEMENT_WAIT_MS): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted || findVisible(selector)) {
      resolve(!signal.aborted)
      return
    }
    const end = (isThere: boolean) => {
      observer.disconnect()
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      resolve(isThere)
    }
    const giveUp = () => end(false)
    const observer = new MutationObserver(() => {
      if (findVisible(selector)) end(true)
    })
    const timer = setTimeout(giveUp, waitMs)
    signal.addEventListener('abort', giveUp)
    observer.observe(document.body, { childList: true, subtree: true, attributes: true })
  })
}
