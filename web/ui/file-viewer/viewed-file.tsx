import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

export type ViewedAs = 'picture' | 'pdf' | 'audio' | 'video' | 'text' | 'none'

export type ViewedFile = {
  readonly id: string
  readonly name: string
  readonly as: ViewedAs
  readonly src: string
  readonly downloadHref: string
  readonly kind: string
  readonly details: string
  readonly note?: string
  readonly icon: ReactNode
}

export type TextPart = {
  readonly text: string
  readonly isCut: boolean
  readonly encoding?: string
}

/**
 * Why a file can't be displayed. `gone`: deleted or no longer accessible; `lapsed`: its URL has expired; `unreachable`:
 * no response; `damaged`: can't be decoded.
 */
export type ViewError = 'gone' | 'lapsed' | 'unreachable' | 'damaged'

export type FileReader = {
  readonly findFault: (file: ViewedFile, signal: AbortSignal) => Promise<ViewError | undefined>
  readonly readText: (file: ViewedFile, signal: AbortSignal) => Promise<TextPart | ViewError>
  readonly renew: () => void
}

type FileCardProps = {
  readonly file: ViewedFile
  readonly title?: string
  readonly detail?: string
  readonly canDownload?: boolean
  readonly onAgain?: (() => void) | undefined
  readonly children?: ReactNode
}

const TEXTS = UI_TEXTS.fileViewer

export function FileCard({ file, title, detail, canDownload = false, onAgain, children }: FileCardProps) {
  return (
    <div className="file-viewer-card">
      <span className="file-viewer-card-icon" aria-hidden>
        {file.icon}
      </span>
      <p className="file-viewer-card-name" dir="auto">
        {title ?? file.name}
      </p>
      <p className="file-viewer-card-facts">
        {title === undefined ? [file.kind, file.details].filter(Boolean).join(' · ') : file.name}
      </p>
      {detail !== undefined && <p>{detail}</p>}
      {children}
      {onAgain && (
        <Button variant="filled" onClick={onAgain}>
          {TEXTS.again}
        </Button>
      )}
      {canDownload && (
        <Button component="a" variant="filled" href={file.downloadHref} download={file.name}>
          {TEXTS.download}
        </Button>
      )}
    </div>
  )
}
