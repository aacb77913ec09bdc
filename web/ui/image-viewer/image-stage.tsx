import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import Viewer from 'viewerjs'
import 'viewerjs/dist/viewer.css'
import { IMAGE_VIEWER } from '#domain/specification.ts'
import './image-viewer.css'

/** What is to be drawn, and who wants to know. */
type ImageInput = {
  readonly src: string
  /** Read aloud in place of the picture. */
  readonly alt: string
  readonly onShown: () => void
  readonly onFailed: () => void
  /** How large it is drawn now: 1 is as it is. */
  readonly onRatio: (ratio: number) => void
}

/** What can be done with a picture that is open. */
export type ImageControls = {
  /** One step of the wheel's: a tenth larger, or back. */
  readonly zoom: (direction: 'in' | 'out') => void
  readonly actualSize: () => void
  /** Back to how it was opened. */
  readonly fit: () => void
  readonly rotate: (degrees: 90 | -90) => void
  readonly flip: (axis: 'horizontal' | 'vertical') => void
  readonly isFitting: () => boolean
  /** Ends the engine and leaves nothing of it in the page. */
  readonly end: () => void
}

/** What the engine knows of the picture it draws; its types leave that out. */
type Drawn = { readonly imageData: { readonly ratio?: number; readonly scaleX?: number; readonly scaleY?: number } }

/** The part of it that is ours to read. Its values are its own, and are looked at one by one. */
const drawnBy = (viewer: Viewer): Drawn['imageData'] => (viewer as unknown as Drawn).imageData

/**
 * The engine has its own buttons (without names), strip, title, keys and slideshow (which opens every picture of the list
 * at once): all of that is ours, and each picture gets an engine of its own that draws, moves, turns and zooms it.
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
    // Two fingers mean zooming; that they also turn the picture surprises.
    rotateOnTouch: false,
    url: 'data-original',
    transition: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    className: 'image-viewer',
    viewed: onShown,
    zoomed: ({ detail }) => onRatio(detail.ratio),
  }
}

/** Draws a picture in an empty element that has a size. Where it cannot be drawn, `onFailed` is told. */
function openImage(host: HTMLElement, wish: ImageInput): ImageControls {
  // The engine takes its picture from an element. This one has no address of its own, so that nothing is read twice.
  const source = document.createElement('div')
  const original = document.createElement('img')
  original.dataset['original'] = wish.src
  original.alt = wish.alt
  source.hidden = true
  source.append(original)
  host.append(source)

  let fitted: number | undefined
  const tell = () => {
    const { ratio } = drawnBy(viewer)
    if (ratio !== undefined) wish.onRatio(ratio)
  }
  const viewer = new Viewer(source, {
    ...optionsOf(wish),
    view: ({ detail }) => detail.image.addEventListener('error', wish.onFailed, { once: true }),
    viewed: () => {
      fitted = drawnBy(viewer).ratio
      tell()
      wish.onShown()
    },
  })
  // The engine fits the picture anew when the window changes, and tells nobody.
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
    // One that is still on its way is not larger than its place.
    isFitting: () => fitted === undefined || (drawnBy(viewer).ratio ?? 0) <= fitted * 1.001,
    end: () => {
      window.removeEventListener('resize', refit)
      // A picture on its way must not come to an engine that is gone.
      for (const image of host.querySelectorAll('img')) image.removeAttribute('src')
      viewer.destroy()
      host.replaceChildren()
    },
  }
}

type ImageStageProps = {
  readonly src: string
  readonly alt: string
  /** What can be done with the picture, for buttons and keys that stand elsewhere; null while there is none. */
  readonly handsRef: RefObject<ImageControls | null>
  readonly onShown: () => void
  readonly onFailed: () => void
  readonly onRatio: (ratio: number) => void
  /** A finger swept over a picture that fits: to what is before it, or behind. */
  readonly onSwipe: (to: 'left' | 'right') => void
}

/** How far a finger goes to the side before it is a sweep, in pixels. */
const SWIPE_PX = 56

/** Draws one picture: wheel and two fingers zoom, dragging moves, a double press shows it as large as it is. */
export function ImageStage({ src, alt, handsRef, ...told }: ImageStageProps) {
  const hostRef = useRef<HTMLDivElement>(null)
  const shown = useEffectEvent(told.onShown)
  const failed = useEffectEvent(told.onFailed)
  const ratio = useEffectEvent(told.onRatio)
  useEffect(() => {
    const host = hostRef.current
    if (!host) return undefined
    const hands = openImage(host, {
      src,
      alt,
      onShown: () => shown(),
      onFailed: () => failed(),
      onRatio: (now) => ratio(now),
    })
    handsRef.current = hands
    return () => {
      if (handsRef.current === hands) handsRef.current = null
      hands.end()
    }
  }, [src, alt, handsRef])
  return <div className="picture-stage" ref={hostRef} {...useSwipe(handsRef, told.onSwipe)} />
}

/** One finger, from where it came down to where it goes up, over a picture that is not larger than its place. */
function useSwipe(handsRef: RefObject<ImageControls | null>, onSwipe: ImageStageProps['onSwipe']) {
  const start = useRef<{ readonly id: number; readonly x: number; readonly y: number } | null>(null)
  return {
    onPointerDown: ({ pointerId, pointerType, isPrimary, clientX, clientY }: ReactPointerEvent) => {
      const isSweep = pointerType === 'touch' && isPrimary && handsRef.current?.isFitting() === true
      start.current = isSweep ? { id: pointerId, x: clientX, y: clientY } : null
    },
    onPointerUp: ({ pointerId, clientX, clientY }: ReactPointerEvent) => {
      const begun = start.current
      start.current = null
      if (begun?.id !== pointerId) return
      const [x, y] = [clientX - begun.x, clientY - begun.y]
      if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 'left' : 'right')
      else handsRef.current?.fit()
    },
  }
}
