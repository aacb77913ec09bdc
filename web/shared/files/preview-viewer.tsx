import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { type FileBody, readRecord } from '#api/records.ts'
import { previewOf, usesThumbnail } from '#domain/assets/preview.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { checkFile, readFileStart } from '#web/data/api/file-requests.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { FileViewer } from '#web/ui/file-viewer/file-viewer.tsx'
import type { FileReader, ViewedFile } from '#web/ui/file-viewer/viewed-file.tsx'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { numberText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import { decodeText } from './decode-text.ts'
import { downloadUrl, thumbnailUrl } from './download-files.ts'
import { FileIcon } from './file-icon.tsx'
import { type FilesGroup, registerGroup } from './visible-files.ts'
import { locateFile } from '#api/files.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'

/** Media type prefixes and their labels; the first match wins. */
const WORDS: readonly (readonly [start: string, words: string])[] = [
  ['image/svg+xml', t('Drawing')],
  ['image/', t('Image')],
  ['audio/', t('Audio')],
  ['video/', t('Video')],
  ['application/pdf', t('PDF document')],
  ['application/msword', t('Word document')],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml', t('Word document')],
  ['application/vnd.ms-excel', t('Excel workbook')],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml', t('Excel workbook')],
  ['application/vnd.ms-powerpoint', t('PowerPoint presentation')],
  ['application/vnd.openxmlformats-officedocument.presentationml', t('PowerPoint presentation')],
  ['application/vnd.oasis.opendocument.text', t('Text document')],
  ['application/vnd.oasis.opendocument.spreadsheet', t('Spreadsheet')],
  ['application/vnd.oasis.opendocument.presentation', t('Presentation')],
  ['application/zip', t('ZIP archive')],
  ['application/gzip', t('Compressed file')],
  ['application/x-7z-compressed', t('7-Zip archive')],
  ['application/x-rar', t('RAR archive')],
  ['application/x-tar', t('TAR archive')],
  ['text/csv', t('CSV file')],
  ['text/markdown', t('Markdown text')],
  ['text/html', t('HTML page')],
  ['application/json', t('JSON data')],
  ['text/calendar', t('Calendar')],
  ['text/vcard', t('Contact')],
  ['text/', t('Text')],
  ['font/', t('Font')],
]

/** Based on the media type, or on the extension if the type is generic. */
function fileTypeLabel(type: string, ending: string): string {
  const found = WORDS.find(([start]) => type.startsWith(start))?.[1]
  if (found !== undefined) return found
  return ending === '' ? t('File') : t('{ending} file', { ending })
}

/** Finds a file that isn't on the page, along with its group; undefined if it was deleted. */
async function findFilesGroup(
  queries: QueryClient,
  file: string,
  signal: AbortSignal,
): Promise<FilesGroup | undefined> {
  const { collection: name, record: id, field: fieldName } = await call(locateFile, { params: { file }, signal })
  const [record, collections] = await Promise.all([
    call(readRecord, { params: { collection: name, record: id }, query: { expand: '*' }, signal }),
    queries.ensureQueryData(collectionsQuery),
  ])
  const body = collections.find((each) => each.name === name)
  const collection = body && typedCollection(body)
  const field = collection?.fields.find((each) => each.name === fieldName)
  if (!collection || !field) return undefined
  const files = toClientValue('files', record.values[fieldName])
  if (files.every((each) => each.id !== file)) return undefined
  return { key: `${id} ${field.id}`, files, place: `${field.label}, ${recordTitle(collection, record)}` }
}

/** Larger text files are truncated. */
const MAX_TEXT_BYTES = 200_000

/** Thumbnail width that fits any screen; one of the widths that the API supports. */
const SMALLER_PX = 1600

type PreviewViewerProps = {
  readonly group: FilesGroup
  readonly file: string
  readonly onShow: (file: string) => void
  readonly onClose: () => void
}

export function PreviewViewer({ group, file, onShow, onClose }: PreviewViewerProps) {
  const queries = useQueryClient()
  const files = useMemo(() => group.files.map(viewedFile), [group.files])
  const reader = useMemo(() => readerOf(() => void queries.invalidateQueries()), [queries])
  return (
    <FileViewer files={files} shownId={file} onShow={onShow} onClose={onClose} reader={reader} place={group.place} />
  )
}

type FindFileProps = { readonly file: string; readonly onGone: () => void }

/** Opens a file from the URL that isn't on the page. Reports a missing file and removes it from the URL. */
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

/** The local copy of a new upload can be displayed only if it is an image. */
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
