import { type RefObject, useEffect, useState } from 'react'

/** What an element stands in, from the inside out; not the page itself, at whose end menus and notices are drawn. */
function framesOf(element: Element): Element[] {
  const frames: Element[] = []
  for (let frame = element.parentElement; frame && frame !== document.body; frame = frame.parentElement) {
    frames.push(frame)
  }
  return frames
}

/**
 * What lies around an element takes neither keys nor presses, and the page behind does not scroll; answers the way back.
 * Parts that come meanwhile, as the sidebar does where the window is turned, are quiet, too.
 */
function makeOutsideInert(element: HTMLElement): () => void {
  const frames = framesOf(element)
  const quiet = new Set<Element>()
  const quietAll = () => {
    for (const beside of frames.flatMap((frame) => [...frame.children])) {
      if (beside.contains(element) || beside.hasAttribute('inert')) continue
      beside.setAttribute('inert', '')
      quiet.add(beside)
    }
  }
  quietAll()
  const comings = new MutationObserver(quietAll)
  for (const frame of frames) comings.observe(frame, { childList: true })
  document.documentElement.classList.add('has-full-screen')
  return () => {
    comings.disconnect()
    for (const each of quiet) each.removeAttribute('inert')
    document.documentElement.classList.remove('has-full-screen')
  }
}

/** Whether an element has the whole window, and the switch for it. The element itself stays what and where it is. */
export function useFullScreen(frame: RefObject<HTMLElement | null>) {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    if (!isFull || !frame.current) return undefined
    return makeOutsideInert(frame.current)
  }, [isFull, frame])
  return { isFull, setFull }
}
