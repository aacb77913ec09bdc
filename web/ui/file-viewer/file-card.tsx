import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import type { ViewedFile } from './viewed-file.ts'

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
