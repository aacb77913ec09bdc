import Uppy, { type UppyFile } from '@uppy/core'
import Tus, { type TusBody } from '@uppy/tus'
import { UPLOAD } from '#domain/specification.ts'
import { renewSigned, signedHeaders } from './call.ts'
import { readProblem } from './exchange.ts'
import { fileIdOf, NO_JOBS, type UploadedFile, type Uploader, type UploadJob, type UploadTarget } from './upload-job.ts'

type FileMeta = { [name: string]: unknown; name: string; type: string }
type Sent = UppyFile<FileMeta, TusBody>

/** The address to which uploads for a field are sent; the server applies the field's rules from the first byte. */
function endpointOf({ collection, field, record }: UploadTarget): string {
  const query = new URLSearchParams({ collection, field, ...(record !== undefined && { record }) })
  return `/api/tus?${query}`
}

const BROKEN_OFF = 'The connection broke off. Nothing is lost: try again and it goes on where it stopped.'

/** What tus says of a refused request. */
type TusRefusal = { readonly originalResponse?: { getBody(): string; getStatus(): number } | null }

function isJson(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** The server's own sentence where it gave one. */
function failureOf(error: Error & TusRefusal): string {
  const response = error.originalResponse
  const body = response?.getBody() ?? ''
  const problem = response && isJson(body) ? readProblem(JSON.parse(body), response.getStatus()) : undefined
  return problem?.detail ?? BROKEN_OFF
}

function stateOf(file: Sent): UploadJob['state'] {
  if (file.error) return 'failed'
  if (file.isPaused) return 'paused'
  return file.progress.uploadStarted ? 'uploading' : 'waiting'
}

function jobOf(file: Sent, failures: ReadonlyMap<string, string>): UploadJob {
  const { bytesUploaded } = file.progress
  return {
    id: file.id,
    name: file.name,
    bytes: file.size ?? 0,
    sentBytes: typeof bytesUploaded === 'number' ? bytesUploaded : 0,
    state: stateOf(file),
    failure: file.error ? (failures.get(file.id) ?? BROKEN_OFF) : null,
  }
}

function createUppy(target: UploadTarget): Uppy<FileMeta, TusBody> {
  // What was uploaded once may be uploaded again: the same picture may stand in two places.
  const uppy = new Uppy<FileMeta, TusBody>({ autoProceed: true, allowMultipleUploadBatches: true })
  return uppy.use(Tus, {
    endpoint: endpointOf(target),
    limit: UPLOAD.parallelUploads,
    chunkSize: UPLOAD.chunkBytes,
    retryDelays: [...UPLOAD.chunkRetryDelaysMs],
    allowedMetaFields: ['name', 'type'],
    removeFingerprintOnSuccess: true,
    onBeforeRequest: async (request) => {
      for (const [name, value] of Object.entries(await signedHeaders())) request.setHeader(name, value)
    },
    onAfterResponse: async (request, response) => {
      const authorization = request.getHeader('authorization')
      if (response.getStatus() === 401 && authorization !== undefined) await renewSigned({ authorization })
    },
    // A part of a file can be read again, so a token that was renewed meanwhile is worth another try.
    onShouldRetry: (error, _tries, _options, judge) => error.originalResponse?.getStatus() === 401 || judge(error),
  })
}

/** An uploader into one field; `onUploaded` is called for each file as it arrives. */
export function createUploader(target: UploadTarget, onUploaded: (uploaded: UploadedFile) => void): Uploader {
  const uppy = createUppy(target)
  const failures = new Map<string, string>()
  const listeners = new Set<() => void>()
  let jobs = NO_JOBS

  uppy.on('state-update', () => {
    const next = uppy.getFiles().map((file) => jobOf(file, failures))
    jobs = next.length === 0 ? NO_JOBS : next
    for (const listener of listeners) listener()
  })
  uppy.on('upload-error', (file, error) => {
    if (file) failures.set(file.id, failureOf(error))
  })
  uppy.on('upload-success', (sent, { uploadURL }) => {
    if (!sent || uploadURL === undefined) return
    const { data, id } = sent
    if (data instanceof File) onUploaded({ id: fileIdOf(uploadURL), file: data })
    // Uppy is still busy with the file while it tells of it.
    queueMicrotask(() => uppy.getFile(id) && uppy.removeFile(id))
  })

  return {
    jobs: () => jobs,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    add: (files) =>
      uppy.addFiles(files.map((file) => ({ name: file.name, type: file.type, data: file, source: 'picked' }))),
    pauseOrResume: (id) => void uppy.pauseResume(id),
    retry: (id) => void uppy.retryUpload(id),
    cancel: (id) => {
      failures.delete(id)
      uppy.removeFile(id)
    },
  }
}
