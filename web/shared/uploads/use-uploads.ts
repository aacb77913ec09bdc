import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { FileBody } from '#api/records.ts'
import { targetKey, type UploadedFile, type UploadJob, type UploadPlace } from '#web/data/uploads/upload-types.ts'
import { uploads } from '#web/data/uploads/uploads.ts'

/** A file that just arrived, drawn from this machine's own copy until the record is read again. */
export function uploadedFile({ id, name, type, bytes, file }: UploadedFile): FileBody {
  const isPicture = file !== undefined && type.startsWith('image/')
  const url = file === undefined ? '' : URL.createObjectURL(file)
  return { id, name, type, bytes, width: null, height: null, url, thumbUrl: isPicture ? url : null }
}

type LatestProps = { readonly files: readonly FileBody[]; readonly onChange: (files: readonly FileBody[]) => void }

/**
 * What is on its way into a field that is open. What arrives is appended to its value here, for whoever has the field open
 * also writes in it; once it is closed the queue goes on by itself and puts the files into the record.
 */
export function useUploads(place: UploadPlace, held: LatestProps): readonly UploadJob[] {
  const key = targetKey(place)
  const shown = useSyncExternalStore(uploads.subscribe, uploads.shown)
  const latest = useRef({ place, held })
  useEffect(() => {
    latest.current = { place, held }
  })
  useEffect(() => {
    const { place: target } = latest.current
    const stop = uploads.take(target, (arrived) => {
      const { files, onChange } = latest.current.held
      const known = new Set(files.map(({ id }) => id))
      const added = arrived.filter(({ id }) => !known.has(id)).map(uploadedFile)
      // More may arrive before the page is drawn again.
      latest.current.held = { files: [...files, ...added], onChange }
      onChange(latest.current.held.files)
    })
    return () => {
      stop()
      if (target.record === undefined) uploads.closeForm(target)
    }
  }, [key])
  return useMemo(() => shown.jobs.filter((job) => targetKey(job.place) === key), [shown, key])
}
