import type { FileBody } from '#api/records.ts'
import { formatBytes } from '#web/kit/format-bytes.ts'
import { IconFile } from '#web/kit/icons/icon-file.ts'
import { IconGripVertical } from '#web/kit/icons/icon-grip-vertical.ts'
import { IconX } from '#web/kit/icons/icon-x.ts'
import type { Reorder } from '../reorder/use-reorder.ts'
import './files.css'

type FileTileProps = {
  readonly file: FileBody
  readonly reorder: Reorder<FileBody>
  readonly canChange: boolean
  readonly canMove: boolean
  readonly onOpen: () => void
  readonly onRemove: () => void
}

/** Whether the viewer can show a file. */
export const isPicture = (file: FileBody): boolean => file.thumbUrl !== null

const endingOf = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? ''

/** A file: what it looks like, its name and size, and what can be done with it. */
export function FileTile({ file, reorder, canChange, canMove, onOpen, onRemove }: FileTileProps) {
  const { name, bytes, url, thumbUrl } = file
  return (
    <li className="file-tile" {...reorder.itemProps(file)}>
      {thumbUrl === null ? (
        <a className="file-face" href={url} download={name} aria-label={`Download ${name}`}>
          <IconFile size={28} stroke={1.25} aria-hidden />
          <span className="file-ending">{endingOf(name)}</span>
        </a>
      ) : (
        <button type="button" className="file-face" onClick={onOpen} aria-label={`Look at ${name}`}>
          <img src={thumbUrl} alt="" loading="lazy" decoding="async" />
        </button>
      )}
      <div className="file-words">
        <span className="file-name" title={name}>
          {name}
        </span>
        <span className="file-bytes">{formatBytes(bytes)}</span>
      </div>
      {canChange && (
        <div className="file-tools">
          {canMove && (
            <button {...reorder.handleProps(file)}>
              <IconGripVertical size={16} stroke={1.5} aria-hidden />
            </button>
          )}
          <button type="button" className="file-remove" aria-label={`Remove ${name}`} onClick={onRemove}>
            <IconX size={16} stroke={1.5} aria-hidden />
          </button>
        </div>
      )}
    </li>
  )
}
