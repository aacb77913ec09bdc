import { useElementScrollRestoration, useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/** Maximum time to wait until the content is as tall as before. */
const MAX_WAIT_MS = 10_000

const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Restores the scroll position of `data-scroll-restoration-id` once the content has loaded; the router restores only
 * what exists at the first render. Stops when the user interacts with the page.
 */
export function useLateScroll(id: string): void {
  const name = encodeURIComponent(id)
  const topPx = useElementScrollRestoration({ id: name })?.scrollY ?? 0
  const place = useLocation({ select: ({ state, href }) => state.__TSR_key ?? href })
  // Uses the scroll position on arrival; later scrolling must not rerun the effect.
  const restore = useEffectEvent(() => (topPx > 0 ? restoreWhenLoaded(name, topPx) : undefined))
  useEffect(() => restore(), [name, place])
}

function restoreWhenLoaded(name: string, topPx: number): () => void {
  const scroller = () => document.querySelector(`[data-scroll-restoration-id="${name}"]`)
  const isThere = () => Math.abs((scroller()?.scrollTop ?? 0) - topPx) < 1
  let frame = 0
  const restore = () => {
    cancelAnimationFrame(frame)
    scroller()?.scrollTo({ top: topPx, behavior: 'instant' })
    // A virtualized list may scroll once more while measuring its rows.
    if (isThere()) frame = requestAnimationFrame(() => requestAnimationFrame(() => (isThere() ? stop() : restore())))
  }
  const observer = new MutationObserver(restore)
  const stop = () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    for (const event of USER_EVENTS) window.removeEventListener(event, stop, { capture: true })
  }
  const timer = setTimeout(stop, MAX_WAIT_MS)
  for (const event of USER_EVENTS) window.addEventListener(event, stop, { capture: true })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] })
  restore()
  return stop
}
