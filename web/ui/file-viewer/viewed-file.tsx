import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

/** By which of the browser's means a file is shown; `none`: by a card that tells what it is. */
export type ViewedAs = 'picture' | 'pdf' | 'audio' | 'video' | 'text' | 'none'

/** One file of the viewer. */
export type ViewedFile = {
  readonly id: string
  /** Stands above it and is read aloud in its place. */
  readonly name: string
  readonly as: ViewedAs
  /** Address of what is shown. */
  readonly src: string
  /** Address by which it is saved. */
  readonly downloadHref: string
  /** What kind of file it is, in words. */
  readonly kind: string
  /** Its size and measures, in words. */
  readonly details: string
  /** What there is to say about how it is shown: that it is a smaller copy, or why it is not shown at all. */
  readonly note?: string
  readonly icon: ReactNode
}

/** The beginning of a text. */
export type TextPart = {
  readonly text: string
  /** There is more of it. */
  readonly isCut: boolean
  /** How it was written in bytes, in words; left out where nobody need know. */
  readonly encoding?: string
}

/**
 * Why a file cannot be shown. `gone`: not there, or not for this person any more; `lapsed`: its address works no more;
 * `unreachable`: the server does not answer; `damaged`: it came, and is not what it should be.
 */
export type ViewError = 'gone' | 'lapsed' | 'unreachable' | 'damaged'

/** What the viewer has done for it by who knows where files come from. */
export type FileReader = {
  /** Asks why a file does not come; undefined where it does. */
  readonly findFault: (file: ViewedFile, signal: AbortSignal) => Promise<ViewError | undefined>
  /** Reads the beginning of a text. */
  readonly readText: (file: ViewedFile, signal: AbortSignal) => Promise<TextPart | ViewError>
  /** Has the addresses of the files made anew. */
  readonly renew: () => void
}

type FileCardProps = {
  readonly file: ViewedFile
  /** In place of its name: what is the matter with it. */
  readonly title?: string
  readonly detail?: string
  readonly canDownload?: boolean
  readonly onAgain?: (() => void) | undefined
  readonly children?: ReactNode
}

const TEXTS = UI_TEXTS.fileViewer

/** A file that is not shown itself: what it is, why, and what can be done. */
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
