import type { ReactNode } from 'react'
import { LOCALE } from '#web/i18n/locale.ts'
import {
  IconArrowsMinimize,
  IconFlipHorizontal,
  IconFlipVertical,
  IconRotate,
  IconRotateClockwise,
  IconZoomIn,
  IconZoomOut,
} from '#web/ui/icons/viewer.ts'
import { IconPlayerPause, IconPlayerPlay } from '#web/ui/icons/later.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

export type ViewerCommand =
  | 'previous'
  | 'next'
  | 'first'
  | 'last'
  | 'zoom-in'
  | 'zoom-out'
  | 'actual-size'
  | 'fit'
  | 'rotate-right'
  | 'rotate-left'
  | 'flip-horizontal'
  | 'flip-vertical'
  | 'play'
  | 'help'

export type ViewerKey = {
  readonly key: string
  readonly isHeld: boolean
  readonly isShift: boolean
  /** Type of the focused element: buttons handle the space bar, players the arrow keys, and text its own scrolling. */
  readonly on: 'nothing' | 'button' | 'player' | 'text'
  /** In right-to-left layouts, next is to the left. */
  readonly isRightToLeft: boolean
}

const PLAIN: { readonly [key: string]: ViewerCommand } = {
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  _: 'zoom-out',
  '0': 'fit',
  '1': 'actual-size',
  '?': 'help',
}

const MOVING: { readonly [key: string]: ViewerCommand } = { Home: 'first', End: 'last' }

/** Keys that a focused player or scrollable text handles itself. */
const TAKEN: { readonly [on in ViewerKey['on']]: ReadonlySet<string> } = {
  nothing: new Set(),
  button: new Set([' ']),
  player: new Set([' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']),
  text: new Set([' ', 'ArrowUp', 'ArrowDown', 'Home', 'End']),
}

export function commandOf(pressed: ViewerKey): ViewerCommand | undefined {
  const { key, isHeld, isShift, isRightToLeft } = pressed
  if (isHeld || TAKEN[pressed.on].has(key)) return undefined
  switch (key) {
    case 'ArrowLeft':
      return isRightToLeft ? 'next' : 'previous'
    case 'ArrowRight':
      return isRightToLeft ? 'previous' : 'next'
    case 'ArrowUp':
      return 'zoom-in'
    case 'ArrowDown':
      return 'zoom-out'
    case ' ':
      return 'play'
    case 'r':
    case 'R':
      return isShift ? 'rotate-left' : 'rotate-right'
    case 'f':
    case 'F':
      return isShift ? 'flip-vertical' : 'flip-horizontal'
    default:
      return PLAIN[key] ?? MOVING[key]
  }
}

type ImageToolsProps = {
  readonly ratio: number | undefined
  readonly onCommand: (command: ViewerCommand) => void
  readonly canPlay: boolean
  readonly isPlaying: boolean
}

const TEXTS = UI_TEXTS.fileViewer
const icon = { size: 18, stroke: 1.5, 'aria-hidden': true }

/** For example `100%` or `8.7%`, with one decimal place below ten percent. */
const percentOf = (ratio: number): string =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: ratio < 0.1 ? 1 : 0 }).format(ratio)

export function ImageTools({ ratio, onCommand, canPlay, isPlaying }: ImageToolsProps) {
  const percent = ratio === undefined ? '…' : percentOf(ratio)
  const tool = (command: ViewerCommand, label: string, face: ReactNode) => (
    <button
      type="button"
      className="file-viewer-button"
      aria-label={label}
      title={label}
      onClick={() => onCommand(command)}
    >
      {face}
    </button>
  )
  return (
    <div className="file-viewer-tools" role="toolbar" aria-label={TEXTS.tools}>
      <div>
        {tool('zoom-out', TEXTS.zoomOut, <IconZoomOut {...icon} />)}
        <button
          type="button"
          className="file-viewer-button file-viewer-ratio"
          aria-label={TEXTS.actualSize(percent)}
          title={TEXTS.actualSize(percent)}
          onClick={() => onCommand('actual-size')}
        >
          {percent}
        </button>
        {tool('zoom-in', TEXTS.zoomIn, <IconZoomIn {...icon} />)}
        {tool('fit', TEXTS.fit, <IconArrowsMinimize {...icon} />)}
      </div>
      <div>
        {tool('rotate-left', TEXTS.rotateLeft, <IconRotate {...icon} />)}
        {tool('rotate-right', TEXTS.rotateRight, <IconRotateClockwise {...icon} />)}
        {tool('flip-horizontal', TEXTS.flipHorizontal, <IconFlipHorizontal {...icon} />)}
        {tool('flip-vertical', TEXTS.flipVertical, <IconFlipVertical {...icon} />)}
      </div>
      {canPlay && (
        <div>
          {isPlaying
            ? tool('play', TEXTS.stop, <IconPlayerPause {...icon} />)
            : tool('play', TEXTS.play, <IconPlayerPlay {...icon} />)}
        </div>
      )}
    </div>
  )
}

export function ViewerKeyList() {
  return (
    <section className="file-viewer-keys" aria-label={UI_TEXTS.fileViewer.keys}>
      <dl>
        {UI_TEXTS.fileViewer.keyList.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
