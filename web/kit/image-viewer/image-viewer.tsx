import { useEffect, useEffectEvent, useMemo } from 'react'
import type { OpenViewer, ViewerImage } from './viewer-image.ts'

/** The whole-window picture viewer. */
export type ImageViewerProps = {
  /** The pictures, in order; things that are no pictures are left out before. */
  readonly images: readonly ViewerImage[]
  /** Which picture is shown, or null while the viewer is closed. */
  readonly index: number | null
  readonly onClose: () => void
  /** Called when another picture comes into view. */
  readonly onIndexChange?: (index: number) => void
}

/**
 * Shows pictures over the whole window: zoom from 0.01 to 100 in steps of a tenth, rotate, flip, slideshow of 5000 ms.
 * Its engine is fetched when it is first opened. Renders nothing itself.
 */
export function ImageViewer({ images, index, onClose, onIndexChange }: ImageViewerProps) {
  const isOpen = index !== null && images.length > 0
  // The engine reads its pictures once: other pictures, another engine.
  const imagesKey = useMemo(() => images.map((image) => `${image.id} ${image.src}`).join('\n'), [images])

  const close = useEffectEvent(onClose)
  const changeIndex = useEffectEvent((next: number) => {
    if (next !== index) onIndexChange?.(next)
  })
  const open = useEffectEvent((openViewer: OpenViewer) =>
    openViewer({ images, index: index ?? 0, onClosed: () => close(), onViewed: (next) => changeIndex(next) }),
  )

  useEffect(() => {
    if (!isOpen) return
    let isWanted = true
    let end = () => {}
    void import('./viewer-engine.ts').then(({ openViewer }) => {
      if (isWanted) end = open(openViewer)
    })
    return () => {
      isWanted = false
      end()
    }
    // `imagesKey` stands for the pictures, which are a new array on every render.
  }, [isOpen, imagesKey])

  return null
}
