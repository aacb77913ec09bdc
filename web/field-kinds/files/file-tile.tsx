import type { FileBody } from '#api/records.ts'
import { previewOf } from '#domain/assets/preview.ts'
import { formatBytes } from '#web/ui/text/format-bytes.ts'
import { IconDownload, IconX } from '#web/ui/icons/general.ts'
import { IconGripVertical } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import type { Reorder } from '#web/shared/reorder/use-reorder.ts'
import { downloadUrl } from '#web/shared/files/file-urls.ts'
import { FileIcon } from '#web/shared/files/file-icon.tsx'
import './files.css'

type FileTileProps = {
  readonly file: FileBody
  readonly reorder: Reorder<FileBody>
  readonly canChange: boolean
  readonly canMove: boolean
  readonly onOpen: () => void
  readonly onRemove: () => void
}

const endingOf = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? ''

/** A file: what it looks like, its name and size, and what can be done with it. */
export function FileTile({ file, reorder, canChange, canMove, onOpen, onRemove }: FileTileProps) {
  const { name, bytes, url, thumbUrl } = file
  return (
    <li className="file-tile" {...reorder.itemProps(file)}>
      <button type="button" className="file-face" onClick={onOpen} aria-label={t('Preview {name}', { name })}>
        {thumbUrl === null ? (
          <>
            <FileIcon preview={previewOf(file)} type={file.type} size={28} />
            <span className="file-ending">{endingOf(name)}</span>
          </>
        ) : (
          <img src={thumbUrl} alt="" loading="lazy" decoding="async" />
        )}
      </button>
      <div className="file-words">
        <span className="file-name" title={name}>
          {name}
        </span>
        <span className="file-bytes">{formatBytes(bytes)}</span>
      </div>
      <div className="file-tools">
        <a
          className="file-tool"
          href={downloadUrl(url)}
          download={name}
          aria-label={t('Download {name}', { name })}
          title={t('Download')}
        >
          <IconDownload size={16} stroke={1.5} aria-hidden />
        </a>
        {canChange && (
          <>
            {canMove && (
              <button {...reorder.handleProps(file)}>
                <IconGripVertical size={16} stroke={1.5} aria-hidden />
              </button>
            )}
            <button type="button" className="file-tool" aria-label={t('Remove {name}', { name })} onClick={onRemove}>
              <IconX size={16} stroke={1.5} aria-hidden />
            </button>
          </>
        )}
      </div>
    </li>
  )
}
