/** Longest a step waits for its element before it is passed over. */
const ELEMENT_WAIT_MS = 10_000

function visible(selector: string): boolean {
  const element = document.querySelector(selector)
  return element !== null && element.getClientRects().length > 0
}

/** Answers true as soon as an element can be seen, false when it did not come in time or is no longer waited for. */
export function waitForElement(selector: string, signal: AbortSignal, waitMs = ELEMENT_WAIT_MS): Promise<boolean> {
  return new Promise((resolve) => {
    if (visible(selector) || signal.aborted) {
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
      if (visible(selector)) end(true)
    })
    const timer = setTimeout(giveUp, waitMs)
    signal.addEventListener('abort', giveUp)
    observer.observe(document.body, { childList: true, subtree: true, attributes: true })
  })
}
