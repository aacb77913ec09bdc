import type { ReactNode } from 'react'
import { IconDownload } from '#web/ui/icons/general.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { IconQuestionMark } from '#web/ui/icons/frame.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import type { ViewedFile } from './viewed-file.tsx'

type ViewerHeaderProps = {
  readonly file: ViewedFile
  readonly files: readonly ViewedFile[]
  readonly at: number
  readonly place?: string
  readonly actions?: ReactNode
  readonly titleId: string
  readonly isHelping: boolean
  readonly onHelp: () => void
  readonly onClose: () => void
}

const TEXTS = UI_TEXTS.fileViewer
const icon = { size: 18, stroke: 1.5, 'aria-hidden': true }

export function ViewerHeader({
  file,
  files,
  at,
  place,
  actions,
  titleId,
  isHelping,
  onHelp,
  onClose,
}: ViewerHeaderProps) {
  const facts = [files.length > 1 ? TEXTS.place(at + 1, files.length) : '', place ?? '', file.details]
  return (
    <header className="file-viewer-head">
      <div className="file-viewer-words">
        {/* File names may use either writing direction, independently of the page. */}
        <h2 id={titleId} title={file.name} dir="auto">
          {file.name}
        </h2>
        <p>{facts.filter(Boolean).join(' · ')}</p>
        {file.note !== undefined && file.as !== 'none' && <p className="file-viewer-note">{file.note}</p>}
      </div>
      <div className="file-viewer-actions">
        {actions}
        <a
          className="file-viewer-button"
          href={file.downloadHref}
          download={file.name}
          aria-label={TEXTS.downloadNamed(file.name)}
          title={TEXTS.download}
        >
          <IconDownload {...icon} />
        </a>
        <button
          type="button"
          className="file-viewer-button file-viewer-keys-button"
          aria-label={TEXTS.keys}
          title={`${TEXTS.keys} (?)`}
          aria-expanded={isHelping}
          onClick={onHelp}
        >
          <IconQuestionMark {...icon} />
        </button>
        <button
          type="button"
          className="file-viewer-button"
          aria-label={TEXTS.close}
          title={TEXTS.close}
          onClick={onClose}
        >
          <IconX {...icon} />
        </button>
      </div>
    </header>
  )
}
