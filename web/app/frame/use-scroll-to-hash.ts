import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Longest wait for the target to appear. */
const MAX_WAIT_MS = 10_000

/** By `data-tour` mark or heading id. */
function partOf(name: string): HTMLElement | null {
  const quoted = CSS.escape(name)
  const found = document.querySelector<HTMLElement>(`[data-tour="${quoted}"], #${quoted}`)
  return found?.matches('h2') === true ? found.closest('section') : found
}

function nameOf(part: HTMLElement): string {
  const label = part instanceof HTMLInputElement ? part.labels?.[0] : part.querySelector('h2')
  return part.getAttribute('aria-label') ?? (label ?? part).textContent
}

/** The outline stays until focus moves. */
function scrollAndFocus(part: HTMLElement): void {
  if (!part.matches('button, a, input')) part.tabIndex = -1
  part.dataset['arrived'] = ''
  part.addEventListener('blur', () => delete part.dataset['arrived'], { once: true })
  part.scrollIntoView({ block: 'start' })
  part.focus({ preventScroll: true })
}

/** Scrolls to the part named in the URL's hash once it exists; returns its name for announcement. */
export function useScrollToHash(): string {
  const { pathname, hash } = useLocation()
  const place = `${pathname}#${hash}`
  const [arrived, setArrived] = useState({ place: '', name: '' })
  useEffect(() => {
    if (hash === '') return undefined
    const arrive = () => {
      const part = partOf(hash)
      // A hidden element can't take focus while content above still loads.
      if (!part?.checkVisibility({ visibilityProperty: true })) return
      stop()
      scrollAndFocus(part)
      setArrived({ place, name: nameOf(part) })
    }
    const observer = new MutationObserver(arrive)
    const stop = () => {
      observer.disconnect()
      clearTimeout(timer)
    }
    const timer = setTimeout(() => observer.disconnect(), MAX_WAIT_MS)
    observer.observe(document.body, { childList: true, subtree: true })
    arrive()
    return stop
  }, [place, hash])
  return arrived.place === place ? arrived.name : ''
}
