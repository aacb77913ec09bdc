import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { FileBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { fileOptionsOf } from '#domain/uploads/file-fields.ts'
import { blockOfFile } from '#web/data/uploads/attach-files.ts'
import { targetKey, type UploadedFile, type UploadJob, type UploadPlace } from '#web/data/uploads/upload-types.ts'
import { uploads } from '#web/data/uploads/uploads.ts'
import type { EditorEmbeds, UploadResult } from '#web/ui/editor/embeds/editor-embeds.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { filesOfInput, filesOfDrop } from '#web/shared/uploads/selected-files.ts'
import { acceptFiles } from '#web/shared/uploads/accept-files.ts'
import { UploadRow } from '#web/shared/uploads/upload-row.tsx'
import { uploadedFile } from '#web/shared/uploads/use-uploads.ts'

type Uploading = Pick<EditorEmbeds, 'send' | 'drawUpload' | 'giveUp' | 'follow'>

let made = 0

const endOf = (file: UploadedFile): UploadResult => ({
  mark: file.mark ?? undefined,
  arrived: { file: file.id, isPicture: blockOfFile(file).type === 'image' },
})

/**
 * Files on their way into a document that is open, by the queue of the tab. `others` are those nothing in the document
 * stands for, as they were begun before the page was loaded.
 */
export function useDocumentUploads(
  field: Field<'rich-text'>,
  target: UploadPlace & { readonly isWritten: boolean },
  onArrived: (files: readonly FileBody[]) => void,
): { readonly uploading: Uploading; readonly others: readonly UploadJob[] } {
  const { isWritten, ...rest } = target
  const place = { ...rest, isDocument: true }
  const key = targetKey(place)
  const shown = useSyncExternalStore(uploads.subscribe, uploads.shown)
  const jobs = useMemo(() => shown.jobs.filter((job) => targetKey(job.place) === key), [shown, key])
  const latest = useRef({ field, place, onArrived })
  useEffect(() => {
    latest.current = { field, place, onArrived }
  })
  const [ends] = useState(createEnds)
  useEffect(() => {
    // Who only reads it leaves to the queue what arrives.
    if (!isWritten) return undefined
    const { place: open } = latest.current
    const stop = uploads.take(open, (arrived) => {
      latest.current.onArrived(arrived.map(uploadedFile))
      for (const file of arrived) ends.tell(endOf(file))
    })
    return () => {
      stop()
      if (open.record === undefined) uploads.closeForm(open)
    }
  }, [key, ends, isWritten])
  // One that was given up elsewhere leaves its place.
  const marks = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const now = new Set(jobs.flatMap(({ mark }) => mark ?? []))
    for (const mark of marks.current) if (!now.has(mark)) ends.tell({ mark, arrived: undefined })
    marks.current = now
  }, [jobs, ends])

  const uploading = useMemo<Uploading>(
    () => ({
      follow: ends.follow,
      send: (given) => send(latest.current.field, latest.current.place, given),
      giveUp: (mark) => uploads.cancel(uploads.shown().jobs.flatMap((job) => (job.mark === mark ? job.id : []))),
      drawUpload: (mark) => {
        const job = jobs.find((each) => each.mark === mark)
        return (
          <ul className="upload-list" contentEditable={false}>
            {job && <UploadRow job={job} />}
          </ul>
        )
      },
    }),
    [jobs, ends],
  )
  return { uploading, others: jobs.filter(({ mark }) => mark === null) }
}

/** Tells those who follow how sendings ended. */
function createEnds() {
  const listeners = new Set<(end: UploadResult) => void>()
  /** A small file may arrive before the editor is there. */
  let untold: readonly UploadResult[] = []
  return {
    tell: (end: UploadResult) => {
      if (listeners.size === 0) untold = [...untold, end]
      for (const listener of listeners) listener(end)
    },
    follow: (listener: (end: UploadResult) => void) => {
      listeners.add(listener)
      const waiting = untold
      untold = []
      for (const end of waiting) listener(end)
      return () => void listeners.delete(listener)
    },
  }
}

async function send(
  field: Field<'rich-text'>,
  place: UploadPlace,
  given: Parameters<Uploading['send']>[0],
): Promise<readonly string[]> {
  const picked = given instanceof DataTransfer ? await filesOfDrop(given) : filesOfInput(given)
  const { taken, refusal } = acceptFiles(picked, fileOptionsOf(field), Number.POSITIVE_INFINITY)
  if (refusal !== undefined) notify.error(t('Couldn’t add files to the text'), { detail: refusal })
  if (taken.length > 0 && !(await uploads.isReady())) {
    notify.error(t('Couldn’t add files to the text'), { detail: t('Can’t reach the server. Try again later.') })
    return []
  }
  const marked = taken.map((each) => ({ ...each, mark: `file-${(made += 1)}` }))
  if (marked.length > 0) uploads.add(place, marked)
  return marked.map(({ mark }) => mark)
}
