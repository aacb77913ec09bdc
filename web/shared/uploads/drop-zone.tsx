import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from 'react'
import type { SelectedFile } from '#web/data/uploads/upload-types.ts'
import { IconCamera } from '#web/ui/icons/general.ts'
import { IconUpload } from '#web/ui/icons/later.ts'
import { IconFolder } from '#web/ui/icons/frame.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { carriesFiles, filesOfInput, filesOfDrop } from './selected-files.ts'
import './uploads.css'

type DropZoneProps = {
  readonly label: string
  readonly accept: readonly string[]
  readonly isMany: boolean
  readonly onFiles: (files: readonly SelectedFile[]) => void
}

const BROWSE_MARKS = { b: (inner: ReactNode) => <span className="drop-zone-choose">{inner}</span> }

const acceptsImages = (accept: readonly string[]): boolean =>
  accept.length === 0 || accept.some((entry) => /^(?:image\/|\*|\.jpe?g)/i.test(entry))

export function DropZone({ label, accept, isMany, onFiles }: DropZoneProps) {
  const { isOver, drops } = useDrops(onFiles)
  const paste = (event: ClipboardEvent) => {
    const files = filesOfInput(event.clipboardData.files)
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
  return (
    <div className="drop-zone" data-over={isOver || undefined} {...drops}>
      <BrowseButton
        className="drop-zone-main"
        label={isMany ? t('Choose files for {label}', { label }) : t('Choose a file for {label}', { label })}
        picks={{ multiple: isMany, accept: accept.join(',') }}
        onFiles={onFiles}
        onPaste={paste}
      >
        <IconUpload size={18} stroke={1.5} aria-hidden />
        <span>
          <span className="drop-zone-desk">
            <Say
              text={
                isMany
                  ? t('Drop or paste files here, or <b>browse</b>')
                  : t('Drop or paste a file here, or <b>browse</b>')
              }
              parts={BROWSE_MARKS}
            />
          </span>
          <span className="drop-zone-touch">
            <Say text={isMany ? t('<b>Choose</b> files') : t('<b>Choose</b> a file')} parts={BROWSE_MARKS} />
          </span>
          <span className="visually-hidden"> {t('for {label}', { label })}</span>
        </span>
      </BrowseButton>
      {isMany && (
        <BrowseButton
          className="drop-zone-other drop-zone-folder"
          label={t('Choose a folder for {label}', { label })}
          picks={{ isFolder: true }}
          onFiles={onFiles}
        >
          <IconFolder size={16} stroke={1.5} aria-hidden />
          {t('Folder')}
        </BrowseButton>
      )}
      {acceptsImages(accept) && (
        <BrowseButton
          className="drop-zone-other drop-zone-camera"
          label={t('Take a photo for {label}', { label })}
          picks={{ accept: 'image/*', capture: 'environment' }}
          onFiles={onFiles}
        >
          <IconCamera size={16} stroke={1.5} aria-hidden />
          {t('Photo')}
        </BrowseButton>
      )}
    </div>
  )
}

function useDrops(onFiles: DropZoneProps['onFiles']) {
  const [isOver, setOver] = useState(false)
  const drops = {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      void filesOfDrop(event.dataTransfer).then(onFiles)
    },
  }
  return { isOver, drops }
}

type BrowseButtonProps = {
  readonly className: string
  readonly label: string
  readonly picks: {
    readonly multiple?: boolean
    readonly accept?: string
    readonly capture?: 'environment'
    readonly isFolder?: boolean
  }
  readonly onFiles: DropZoneProps['onFiles']
  readonly onPaste?: (event: ClipboardEvent) => void
  readonly children: ReactNode
}

function BrowseButton({
  className,
  label,
  picks: { isFolder = false, ...picks },
  onFiles,
  onPaste,
  children,
}: BrowseButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" className={className} onClick={() => input.current?.click()} onPaste={onPaste}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        {...picks}
        {...(isFolder && { webkitdirectory: '' })}
        onChange={({ currentTarget }) => {
          const files = filesOfInput(currentTarget.files ?? [])
          if (files.length > 0) onFiles(files)
          // Resets the input, so that the same file can be selected again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
