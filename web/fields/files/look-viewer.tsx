import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import type { FileBody } from '#api/records.ts'
import { isShownSmaller, previewOf } from '#domain/assets/preview.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { findFileFault, readBeginning } from '#web/client/file-answers.ts'
import { failureText } from '#web/client/problem-text.ts'
import { FileViewer } from '#web/kit/file-viewer/file-viewer.tsx'
import type { FileReader, ViewedFile } from '#web/kit/file-viewer/viewed-file.ts'
import { formatBytes } from '#web/kit/format-bytes.ts'
import { KIT_TEXTS } from '#web/kit/kit-texts.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { numberText } from '#web/language/locale.ts'
import { t } from '#web/language/t.ts'
import { decodeText } from './decode-text.ts'
import { downloadAddress, smallerAddress } from './file-addresses.ts'
import { FileIcon } from './file-icon.tsx'
import { type FilesGroup, tellGroup } from './files-in-sight.ts'
import { findFilesGroup } from './find-files-group.ts'
import { typeWords } from './type-words.ts'

/** Of a longer text only its beginning is read: nobody reads more on a page, and a tab has to hold it. */
const MOST_TEXT_BYTES = 200_000

/** Large enough for any screen, by the contract's widths. */
const SMALLER_PX = 1600

type LookViewerProps = {
  readonly group: FilesGroup
  readonly file: string
  readonly onShow: (file: string) => void
  readonly onClose: () => void
}

/** The viewer over files of records. */
export function LookViewer({ group, file, onShow, onClose }: LookViewerProps) {
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
    const code = asCallFailed(error)?.code
    if (code === 'aborted') return
    const { title, detail } =
      error === undefined || GONE.has(code ?? '') ? KIT_TEXTS.fileViewer.faults.gone : failureText(error)
    notify.info(title, { id: 'file-gone', detail })
    onGone()
  })
  useEffect(() => {
    const leaving = new AbortController()
    void findFilesGroup(queries, file, leaving.signal).then(
      (group) => {
        if (leaving.signal.aborted) return
        if (group) tellGroup(group)
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
  findFault: ({ src }, signal) => findFileFault(src, signal),
  readText: async ({ src }, signal) => {
    const read = await readBeginning(src, MOST_TEXT_BYTES, signal)
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
  const isSmaller = as === 'picture' && isShownSmaller(file)
  const note = noteOn(file, as, isSmaller)
  const measures = width !== null && height !== null ? `${numberText(width)} × ${numberText(height)}` : ''
  return {
    id,
    name,
    as,
    src: isSmaller ? smallerAddress(url, SMALLER_PX) : url,
    downloadHref: downloadAddress(url),
    kind: typeWords(type, ending),
    details: [formatBytes(bytes), measures].filter(Boolean).join(' · '),
    icon: <FileIcon preview={as} type={type} size={48} />,
    ...(note !== undefined && { note }),
  }
}

function noteOn({ type, width }: FileBody, as: ViewedFile['as'], isSmaller: boolean): string | undefined {
  if (isSmaller) return t('Shown by a smaller copy. Download the file to see it as it is.')
  if (as === 'none' && width === null && type.startsWith('image/')) {
    return t('This picture is too large to be shown here, or damaged. Download it to open it on your machine.')
  }
  return undefined
}
