import Viewer from 'viewerjs'
import 'viewerjs/dist/viewer.css'
import { IMAGE_VIEWER } from '#domain/specification.ts'
import { KIT_TEXTS } from '../kit-texts.ts'
import './image-viewer.css'
import type { OpenViewer, ViewerImage, ViewerWish } from './viewer-image.ts'

const TEXTS = KIT_TEXTS.imageViewer

/** The names of the buttons, by the engine's name of their action; it gives them neither name nor title. */
const LABELS: Readonly<Record<string, string>> = {
  'zoom-in': TEXTS.zoomIn,
  'zoom-out': TEXTS.zoomOut,
  'one-to-one': TEXTS.oneToOne,
  reset: TEXTS.reset,
  prev: TEXTS.previous,
  play: TEXTS.play,
  next: TEXTS.next,
  'rotate-left': TEXTS.rotateLeft,
  'rotate-right': TEXTS.rotateRight,
  'flip-horizontal': TEXTS.flipHorizontal,
  'flip-vertical': TEXTS.flipVertical,
  mix: TEXTS.close,
}

/** The engine takes its pictures from elements; these are never put into the page. */
function listOf(images: readonly ViewerImage[]): HTMLElement {
  const list = document.createElement('div')
  for (const { src, thumbnailSrc, title } of images) {
    const image = document.createElement('img')
    image.src = thumbnailSrc ?? src
    image.alt = title
    image.dataset['original'] = src
    list.append(image)
  }
  return list
}

function nameParts(container: Element, images: readonly ViewerImage[]) {
  container.setAttribute('aria-label', TEXTS.dialog)
  container.removeAttribute('aria-labelledby')
  for (const part of container.querySelectorAll('.viewer-title, .viewer-toolbar, .viewer-navbar, .viewer-button')) {
    part.removeAttribute('aria-hidden')
  }
  for (const button of container.querySelectorAll<HTMLElement>(
    '.viewer-toolbar [data-viewer-action], .viewer-button',
  )) {
    const label = LABELS[button.dataset['viewerAction'] ?? '']
    if (label === undefined) continue
    button.setAttribute('aria-label', label)
    button.title = label
  }
  // Its strip calls a list of buttons a navigation and says of buttons that they are selected: neither exists.
  for (const list of container.querySelectorAll('.viewer-list, .viewer-toolbar > ul'))
    list.setAttribute('role', 'group')
  for (const [at, thumbnail] of container.querySelectorAll('.viewer-list > li').entries()) {
    thumbnail.setAttribute('aria-label', TEXTS.show(images[at]?.title ?? String(at + 1)))
    thumbnail.removeAttribute('aria-selected')
  }
}

function markCurrent(container: Element, index: number) {
  for (const [at, thumbnail] of container.querySelectorAll('.viewer-list > li').entries()) {
    thumbnail.removeAttribute('aria-selected')
    thumbnail.setAttribute('aria-current', String(at === index))
  }
}

function optionsOf(wish: ViewerWish, container: () => Element | null): Viewer.Options {
  return {
    initialViewIndex: wish.index,
    interval: IMAGE_VIEWER.slideshowIntervalMs,
    zoomRatio: IMAGE_VIEWER.zoomRatio,
    minZoomRatio: IMAGE_VIEWER.minZoom,
    maxZoomRatio: IMAGE_VIEWER.maxZoom,
    // The viewer fills the window already; a slideshow must not take the screen from under other windows.
    fullscreen: false,
    // Two fingers mean zooming; that they also turn the picture surprises.
    rotateOnTouch: false,
    // Without `loading`: pictures that load lazily cannot be zoomed in Safari.
    inheritedAttributes: ['crossOrigin', 'decoding', 'referrerPolicy'],
    url: 'data-original',
    navbar: wish.images.length > 1,
    title: (image, { naturalWidth, naturalHeight }) => `${image.alt} · ${naturalWidth} × ${naturalHeight}`,
    transition: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    className: 'image-viewer',
    zIndex: 1000,
    show: () => {
      const element = container()
      if (element) nameParts(element, wish.images)
    },
    viewed: ({ detail }) => {
      const element = container()
      if (element) markCurrent(element, detail.index)
      wish.onViewed(detail.index)
    },
    hidden: wish.onClosed,
  }
}

/** Opens the viewer. Every call makes an engine of its own, so that mounting twice in development does no harm. */
export const openViewer: OpenViewer = (wish) => {
  const focused = document.activeElement
  const marker = `image-viewer-${crypto.randomUUID()}`
  const container = () => document.querySelector(`.${marker}`)
  const options = optionsOf(wish, container)
  const viewer = new Viewer(listOf(wish.images), { ...options, className: `image-viewer ${marker}` })

  // A slideshow nobody sees does not go on.
  const stopWhenHidden = () => {
    if (document.hidden) viewer.stop()
  }
  document.addEventListener('visibilitychange', stopWhenHidden)
  viewer.show()

  return () => {
    document.removeEventListener('visibilitychange', stopWhenHidden)
    viewer.destroy()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
