import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import Viewer from 'viewerjs'
import 'viewerjs/dist/viewer.css'
import { IMAGE_VIEWER } from '#domain/specification.ts'
import './image-viewer.css'

type ImageInput = {
  readonly src: string
  readonly alt: string
  readonly onShown: () => void
  readonly onFailed: () => void
  readonly onRatio: (ratio: number) => void
}

export type ImageControls = {
  readonly zoom: (direction: 'in' | 'out') => void
  readonly actualSize: () => void
  readonly fit: () => void
  readonly rotate: (degrees: 90 | -90) => void
  readonly flip: (axis: 'horizontal' | 'vertical') => void
  readonly isFitting: () => boolean
  readonly end: () => void
}

/** Internal state of the image library, missing from its type definitions. */
type Drawn = { readonly imageData: { readonly ratio?: number; readonly scaleX?: number; readonly scaleY?: number } }

/** The internal state that we read; each value is validated. */
const drawnBy = (viewer: Viewer): Drawn['imageData'] => (viewer as unknown as Drawn).imageData

/**
 * Disables the library's buttons (which have no accessible names), thumbnails, title, keys and slideshow (which loads
 * all images at once). Each image has its own instance that draws, moves, rotates and zooms it.
 */
const OWN_PARTS_OFF = {
  inline: true,
  button: false,
  navbar: false,
  toolbar: false,
  title: false,
  tooltip: false,
  backdrop: false,
  keyboard: false,
  loading: false,
  preload: false,
  fullscreen: false,
  slideOnTouch: false,
  slideOnWheel: false,
} as const satisfies Viewer.Options

function optionsOf({ onShown, onRatio }: ImageInput): Viewer.Options {
  return {
    ...OWN_PARTS_OFF,
    zoomRatio: IMAGE_VIEWER.zoomRatio,
    minZoomRatio: IMAGE_VIEWER.minZoom,
    maxZoomRatio: IMAGE_VIEWER.maxZoom,
    // Pinching zooms, so rotating with the same gesture would be unexpected.
    rotateOnTouch: false,
    url: 'data-original',
    transition: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    className: 'image-viewer',
    viewed: onShown,
    zoomed: ({ detail }) => onRatio(detail.ratio),
  }
}

function openImage(host: HTMLElement, request: ImageInput): ImageControls {
  // The library requires an image element; it has no URL, so that the image isn't loaded twice.
  const source = document.createElement('div')
  const original = document.createElement('img')
  original.dataset['original'] = request.src
  original.alt = request.alt
  source.hidden = true
  source.append(original)
  host.append(source)

  let fitted: number | undefined
  const tell = () => {
    const { ratio } = drawnBy(viewer)
    if (ratio !== undefined) request.onRatio(ratio)
  }
  const viewer = new Viewer(source, {
    ...optionsOf(request),
    view: ({ detail }) => detail.image.addEventListener('error', request.onFailed, { once: true }),
    viewed: () => {
      fitted = drawnBy(viewer).ratio
      tell()
      request.onShown()
    },
  })
  // The library refits the image when the window is resized, but fires no event.
  const refit = () =>
    requestAnimationFrame(() => {
      fitted = drawnBy(viewer).ratio
      tell()
    })
  window.addEventListener('resize', refit)

  const turn = (axis: 'scaleX' | 'scaleY') => viewer[axis](-(drawnBy(viewer)[axis] ?? 1))
  return {
    zoom: (direction) => void viewer.zoom(direction === 'in' ? IMAGE_VIEWER.zoomRatio : -IMAGE_VIEWER.zoomRatio),
    actualSize: () => void viewer.zoomTo(1),
    fit: () => {
      viewer.reset()
      tell()
    },
    rotate: (degrees) => void viewer.rotate(degrees),
    flip: (axis) => void turn(axis === 'horizontal' ? 'scaleX' : 'scaleY'),
    isFitting: () => fitted === undefined || (drawnBy(viewer).ratio ?? 0) <= fitted * 1.001,
    end: () => {
      window.removeEventListener('resize', refit)
      // Prevents images that are still loading from being passed to a destroyed instance.
      for (const image of host.querySelectorAll('img')) image.removeAttribute('src')
      viewer.destroy()
      host.replaceChildren()
    },
  }
}

type ImageStageProps = {
  readonly src: string
  readonly alt: string
  readonly gridActionsRef: RefObject<ImageControls | null>
  readonly onShown: () => void
  readonly onFailed: () => void
  readonly onRatio: (ratio: number) => void
  readonly onSwipe: (to: 'left' | 'right') => void
}

/** Minimum distance of a swipe in px. */
const SWIPE_PX = 56

export function ImageStage({ src, alt, gridActionsRef, ...reported }: ImageStageProps) {
  const hostRef = useRef<HTMLDivElement>(null)
  const shown = useEffectEvent(reported.onShown)
  const failed = useEffectEvent(reported.onFailed)
  const ratio = useEffectEvent(reported.onRatio)
  useEffect(() => {
    const host = hostRef.current
    if (!host) return undefined
    const gridActions = openImage(host, {
      src,
      alt,
      onShown: () => shown(),
      onFailed: () => failed(),
      onRatio: (now) => ratio(now),
    })
    gridActionsRef.current = gridActions
    return () => {
      if (gridActionsRef.current === gridActions) gridActionsRef.current = null
      gridActions.end()
    }
  }, [src, alt, gridActionsRef])
  return <div className="picture-stage" ref={hostRef} {...useSwipe(gridActionsRef, reported.onSwipe)} />
}

function useSwipe(gridActionsRef: RefObject<ImageControls | null>, onSwipe: ImageStageProps['onSwipe']) {
  const start = useRef<{ readonly id: number; readonly x: number; readonly y: number } | null>(null)
  return {
    onPointerDown: ({ pointerId, pointerType, isPrimary, clientX, clientY }: ReactPointerEvent) => {
      const isSweep = pointerType === 'touch' && isPrimary && gridActionsRef.current?.isFitting() === true
      start.current = isSweep ? { id: pointerId, x: clientX, y: clientY } : null
    },
    onPointerUp: ({ pointerId, clientX, clientY }: ReactPointerEvent) => {
      const begun = start.current
      start.current = null
      if (begun?.id !== pointerId) return
      const [x, y] = [clientX - begun.x, clientY - begun.y]
      if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 'left' : 'right')
      else gridActionsRef.current?.fit()
    },
  }
}
