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
import { IconPlayerPause, IconPlayerPlay } from '#web/ui/icons/general.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import type { ViewerCommand } from './viewer-keys.ts'

type ImageToolsProps = {
  /** How large the picture is drawn; undefined while it is on its way. */
  readonly ratio: number | undefined
  readonly onCommand: (command: ViewerCommand) => void
  /** There is another picture to go on to. */
  readonly canPlay: boolean
  readonly isPlaying: boolean
}

const TEXTS = UI_TEXTS.fileViewer
const icon = { size: 18, stroke: 1.5, 'aria-hidden': true }

/** `100%`, `8.7%`: one decimal where a percent is much. */
const percentOf = (ratio: number): string =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: ratio < 0.1 ? 1 : 0 }).format(ratio)

/** What can be done with a picture. */
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
