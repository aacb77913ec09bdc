import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { IMAGE_VIEWER } from '#domain/specification.ts'

type Slideshow = { readonly isPlaying: boolean; readonly toggle: () => void; readonly stop: () => void }

/**
 * Goes on by itself, five seconds after a picture is there to be looked at: one that takes long to come is not missed.
 * In a tab that nobody sees it waits.
 */
export function useSlideshow(
  shown: { readonly key: string; readonly isThere: boolean },
  onNext: () => void,
): Slideshow {
  const [isPlaying, setPlaying] = useState(false)
  const isSeen = useIsSeen()
  const next = useEffectEvent(onNext)
  const isWaiting = isPlaying && isSeen && shown.isThere
  // The five seconds begin with what is seen, not some time after.
  useLayoutEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(() => next(), IMAGE_VIEWER.slideshowIntervalMs)
    return () => clearTimeout(timer)
  }, [isWaiting, shown.key])
  return { isPlaying, toggle: () => setPlaying((was) => !was), stop: () => setPlaying(false) }
}

function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden)
  useEffect(() => {
    const look = () => setSeen(!document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isSeen
}
