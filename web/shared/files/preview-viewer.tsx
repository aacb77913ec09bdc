import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import type { FileBody } from '#api/records.ts'
import { usesThumbnail, previewOf } from '#domain/assets/preview.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { checkFile, readFileStart } from '#web/data/api/file-requests.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { FileViewer } from '#web/ui/file-viewer/file-viewer.tsx'
import type { FileReader, ViewedFile } from '#web/ui/file-viewer/viewed-file.ts'
import { formatBytes } from '#web/ui/text/format-bytes.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { numberText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import { decodeText } from './decode-text.ts'
import { downloadUrl, thumbnailUrl } from './file-urls.ts'
import { FileIcon } from './file-icon.tsx'
import { type FilesGroup, registerGroup } from './visible-files.ts'
import { findFilesGroup } from './find-files-group.ts'
import { fileTypeLabel } from './file-type-label.ts'

/** Of a longer text only its beginning is read: nobody reads more on a page, and a tab has to hold it. */
const MAX_TEXT_BYTES = 200_000

/** Large enough for any screen, by the contract's widths. */
const SMALLER_PX = 1600

type PreviewViewerProps = {
  readonly group: FilesGroup
  readonly file: string
  readonly onShow: (file: string) => void
  readonly onClose: () => void
}

/** The viewer over files of records. */
export function PreviewViewer({ group, file, onShow, onClose }: PreviewViewerProps) {
  const queries = useQueryClient()
  const files = useMemo(() => group.files.map(viewedFile), [group.files])
  const reader = useMemo(() => readerOf(() => void queries.invalidateQueries()), [queries])
  return (
    <FileViewer files={files} shownId={file} onShow={onShow} onClose={onClose} reader={reader} place={group.place} />
  )
}

type FindFileProps = { readonly file: string; readonly onGone: () => void }

/**
 * Finds a file by its address alone, where nothing in the page shows it: in a list that is not read that far, or on another
 * page of it. One that is gone is told, and its address with it.
 */
export function FindFile({ file, onGone }: FindFileProps) {
  const queries = useQueryClient()
  const leave = useEffectEvent((error: unknown) => {
    const code = toCallError(error)?.code
    if (code === 'aborted') return
    const { title, detail } =
      error === undefined || GONE.has(code ?? '') ? UI_TEXTS.fileViewer.faults.gone : describeError(error)
    notify.info(title, { id: 'file-gone', detail })
    onGone()
  })
  useEffect(() => {
    const leaving = new AbortController()
    void findFilesGroup(queries, file, leaving.signal).then(
      (group) => {
        if (leaving.signal.aborted) return
        if (group) registerGroup(group)
        else leave(undefined)
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) leave(error)
      },
    )
    return () => leaving.abort()
  }, [queries, file])
  return null
}

/** How it is said that a file, its record or all of it is not there for whoever asks. */
const GONE: ReadonlySet<string> = new Set(['not-found', 'record-not-found', 'collection-not-found', 'forbidden'])

const readerOf = (renew: () => void): FileReader => ({
  findFault: ({ src }, signal) => checkFile(src, signal),
  readText: async ({ src }, signal) => {
    const read = await readFileStart(src, MAX_TEXT_BYTES, signal)
    if (typeof read === 'string') return read
    const decoded = decodeText(read.bytes)
    return decoded ? { ...decoded, isCut: read.isCut } : 'damaged'
  },
  renew,
})

/** What has just arrived is shown from this machine's own copy; of that a page may show pictures alone. */
const isOwnCopy = ({ url }: FileBody): boolean => url.startsWith('blob:')

function viewedAs(file: FileBody): ViewedFile['as'] {
  if (isOwnCopy(file)) return file.thumbUrl === null ? 'none' : 'picture'
  return previewOf(file)
}

function viewedFile(file: FileBody): ViewedFile {
  const { id, name, type, bytes, width, height, url } = file
  const as = viewedAs(file)
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toUpperCase() ?? ''
  const isSmaller = as === 'picture' && usesThumbnail(file)
  const note = captionOf(file, as, isSmaller)
  const measures = width !== null && height !== null ? `${numberText(width)} × ${numberText(height)}` : ''
  return {
    id,
    name,
    as,
    src: isSmaller ? thumbnailUrl(url, SMALLER_PX) : url,
    downloadHref: downloadUrl(url),
    kind: fileTypeLabel(type, ending),
    details: [formatBytes(bytes), measures].filter(Boolean).join(' · '),
    icon: <FileIcon preview={as} type={type} size={48} />,
    ...(note !== undefined && { note }),
  }
}

function captionOf({ type, width }: FileBody, as: ViewedFile['as'], isSmaller: boolean): string | undefined {
  if (isSmaller) return t('This is a smaller preview. Download the file to see the original.')
  if (as === 'none' && width === null && type.startsWith('image/')) {
    return t('This image is damaged or too large to display. Download it to open it on your device.')
  }
  return undefined
}
