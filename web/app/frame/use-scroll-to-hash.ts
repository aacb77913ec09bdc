import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** So long a part of a page may take to come before nobody waits for it any more, in ms. */
const MAX_WAIT_MS = 10_000

/** The part of the page of this name: what bears the mark, or the section below that heading. */
function partOf(name: string): HTMLElement | null {
  const quoted = CSS.escape(name)
  const found = document.querySelector<HTMLElement>(`[data-tour="${quoted}"], #${quoted}`)
  return found?.matches('h2') === true ? found.closest('section') : found
}

function nameOf(part: HTMLElement): string {
  const label = part instanceof HTMLInputElement ? part.labels?.[0] : part.querySelector('h2')
  return part.getAttribute('aria-label') ?? (label ?? part).textContent
}

/** Brings a part into sight with the keyboard in it; it is outlined until the keyboard goes on. */
function scrollAndFocus(part: HTMLElement): void {
  if (!part.matches('button, a, input')) part.tabIndex = -1
  part.dataset['arrived'] = ''
  part.addEventListener('blur', () => delete part.dataset['arrived'], { once: true })
  part.scrollIntoView({ block: 'start' })
  part.focus({ preventScroll: true })
}

/** Leads to the part of the page that an address names behind its `#`, as soon as it is there; answers its name, to be told. */
export function useScrollToHash(): string {
  const { pathname, hash } = useLocation()
  const place = `${pathname}#${hash}`
  const [arrived, setArrived] = useState({ place: '', name: '' })
  useEffect(() => {
    if (hash === '') return undefined
    const arrive = () => {
      const part = partOf(hash)
      // Hidden while what stands above it still comes, it would not take the keyboard.
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
