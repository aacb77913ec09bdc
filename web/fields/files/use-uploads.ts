import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { FileBody } from '#api/records.ts'
import { NO_JOBS, type UploadedFile, type Uploader, type UploadTarget } from '#web/client/upload-job.ts'

type Uploads = {
  readonly uploader: Uploader | undefined
  readonly send: (files: readonly File[]) => void
}

const NOTHING = () => () => {}

/** A file that just arrived, drawn from this machine's own copy until the record is read again. */
export function arrivedFile({ id, file }: UploadedFile): FileBody {
  const isPicture = file.type.startsWith('image/')
  const url = URL.createObjectURL(file)
  return {
    id,
    name: file.name,
    type: file.type,
    bytes: file.size,
    width: null,
    height: null,
    url,
    thumbUrl: isPicture ? url : null,
  }
}

type Held = { readonly files: readonly FileBody[]; readonly onChange: (files: readonly FileBody[]) => void }

/**
 * Sends files into a field and appends each as it arrives. The uploader is fetched with the first file; what is under
 * way when the page is left goes on, and is appended to the files as they stood then.
 */
export function useUploads({ collection, field, record }: UploadTarget, held: Held) {
  const [uploader, setUploader] = useState<Uploader>()
  const latest = useRef(held)
  useEffect(() => {
    latest.current = held
  })
  const append = (file: FileBody) => {
    const { files, onChange } = latest.current
    // Two files may arrive before the page is drawn again.
    latest.current = { files: [...files, file], onChange }
    onChange(latest.current.files)
  }
  const arrived = useRef(append)

  const send = useCallback<Uploads['send']>(
    (files) => {
      if (uploader) return uploader.add(files)
      void import('#web/client/uploads.ts').then(({ createUploader }) => {
        const target = { collection, field, ...(record !== undefined && { record }) }
        const made = createUploader(target, (uploaded) => arrived.current(arrivedFile(uploaded)))
        setUploader(made)
        made.add(files)
      })
    },
    [uploader, collection, field, record],
  )
  const jobs = useSyncExternalStore(uploader?.subscribe ?? NOTHING, uploader?.jobs ?? (() => NO_JOBS))
  useStayWhileSending(jobs.some(({ state }) => state !== 'failed'))
  return { jobs, send, uploader }
}

/** Asks before the tab is closed while files are on their way; they would be gone. */
function useStayWhileSending(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isSending])
}
