import { type RefObject, useEffect, useState } from 'react'

/**
 * What lies around an element takes neither keys nor presses, and the page behind does not scroll; answers the way back.
 * Menus and notices are drawn at the end of the page and stay as they are.
 */
function quieten(element: HTMLElement): () => void {
  const quiet: Element[] = []
  for (let inner: Element = element; inner.parentElement && inner !== document.body; inner = inner.parentElement) {
    for (const beside of inner.parentElement.children) {
      const isOverAll = inner.parentElement === document.body
      if (beside === inner || isOverAll || beside.hasAttribute('inert')) continue
      beside.setAttribute('inert', '')
      quiet.push(beside)
    }
  }
  document.documentElement.classList.add('has-full-screen')
  return () => {
    for (const each of quiet) each.removeAttribute('inert')
    document.documentElement.classList.remove('has-full-screen')
  }
}

/** Whether an element has the whole window, and the switch for it. The element itself stays what and where it is. */
export function useFullScreen(frame: RefObject<HTMLElement | null>) {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    if (!isFull || !frame.current) return undefined
    return quieten(frame.current)
  }, [isFull, frame])
  return { isFull, setFull }
}
