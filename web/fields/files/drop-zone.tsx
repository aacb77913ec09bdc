import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react'
import { IconUpload } from '#web/kit/icons/icon-upload.ts'
import './files.css'

type DropZoneProps = {
  /** The name of the field. */
  readonly label: string
  readonly accept: readonly string[]
  readonly isMany: boolean
  readonly onFiles: (files: readonly File[]) => void
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

/** Takes files by drop, by paste, and by choosing. */
export function DropZone({ label, accept, isMany, onFiles }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  const drop = (event: DragEvent) => {
    setOver(false)
    if (!hasFiles(event)) return
    event.preventDefault()
    onFiles([...event.dataTransfer.files])
  }
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
  const allow = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }

  return (
    <>
      <button
        type="button"
        className="drop-zone"
        data-over={isOver || undefined}
        onClick={() => input.current?.click()}
        onDragOver={allow}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        onPaste={paste}
      >
        <IconUpload size={18} stroke={1.5} aria-hidden />
        <span>
          Drop {isMany ? 'files' : 'a file'} here, paste, or <span className="drop-zone-choose">choose</span>
          <span className="visually-hidden"> for {label}</span>
        </span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`Choose ${isMany ? 'files' : 'a file'} for ${label}`}
        multiple={isMany}
        accept={accept.join(',')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file may be chosen again after it was removed.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
