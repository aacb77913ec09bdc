import Viewer from 'viewerjs'
import 'viewerjs/dist/viewer.css'
import { IMAGE_VIEWER } from '#domain/specification.ts'
import './image-viewer.css'

/** What is to be drawn, and who wants to know. */
export type ImageInput = {
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
export function openImage(host: HTMLElement, wish: ImageInput): ImageControls {
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
