import { printUploadMetadata } from '#domain/uploads/upload-metadata.ts'
import { UPLOAD } from '#domain/specification.ts'
import type { SendFailure } from './upload-failure.ts'
import { type TusOutcome, type TusRequest, tusRequest } from './tus-request.ts'
import type { UploadTarget } from '#web/data/uploads/upload-types.ts'

/** One try to send what is missing of a file. */
export type UploadAttempt = {
  readonly file: File
  readonly name: string
  readonly path: string
  readonly target: UploadTarget
  /** The address of an upload that was begun before. */
  readonly url: string | null
  readonly signal: AbortSignal
  readonly onUrl: (url: string) => void
  /** So many bytes are safe on the server. */
  readonly onSafe: (bytes: number) => void
  /** So many bytes have left this machine. */
  readonly onSent: (bytes: number) => void
}

/** How a try ended. */
export type UploadResult =
  | { readonly is: 'arrived'; readonly fileId: string }
  | { readonly is: 'failed'; readonly failure: SendFailure }

/** Sends what is missing of a file. */
export type SendUpload = (sending: UploadAttempt) => Promise<UploadResult>

type SendTusRequest = (request: TusRequest) => Promise<TusOutcome>

/** The address to which uploads for a field are sent; the server applies the field's rules from the first byte. */
function endpointOf({ collection, field, record }: UploadTarget): string {
  const query = new URLSearchParams({ collection, field, ...(record !== undefined && { record }) })
  return `/api/tus?${query}`
}

/** Base64 of UTF-8, as tus wants it. */
const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

function metadataOf({ file, name, path }: UploadAttempt): string {
  const pairs = {
    filename: name,
    ...(file.type !== '' && { filetype: file.type }),
    ...(path !== '' && { relativePath: path }),
  }
  return printUploadMetadata(pairs, base64)
}

/** The id of the file in the address of its upload: the last part of its path. */
function fileIdOf(uploadAddress: string): string {
  const path = uploadAddress.split(/[?#]/)[0] ?? ''
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
}

/**
 * Asks how far the upload is, or begins one, and sends chunk after chunk from there until one fails. It never repeats
 * anything by itself.
 */
export const sendUpload: SendUpload = (sending) => sendBy(tusRequest, sending)

async function sendBy(ask: SendTusRequest, sending: UploadAttempt): Promise<UploadResult> {
  const { file, signal } = sending
  const begun = await createUpload(ask, sending)
  if ('failure' in begun) return { is: 'failed', failure: begun.failure }
  let { offset } = begun
  sending.onSafe(offset)
  while (offset < file.size) {
    const from = offset
    const sent = await ask({
      method: 'PATCH',
      url: begun.url,
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
      body: file.slice(from, from + UPLOAD.chunkBytes),
      onSent: (bytes) => sending.onSent(from + bytes),
      signal,
    })
    if (!sent.ok)
      return { is: 'failed', failure: signal.aborted ? sent.failure : await withReason(file, from, sent.failure) }
    if (sent.answer.offset <= from) return { is: 'failed', failure: { is: 'cut' } }
    offset = sent.answer.offset
    sending.onSafe(offset)
  }
  return { is: 'arrived', fileId: fileIdOf(begun.url) }
}

type StartedUpload = { readonly url: string; readonly offset: number } | { readonly failure: SendFailure }

async function createUpload(ask: SendTusRequest, sending: UploadAttempt): Promise<StartedUpload> {
  const { url, file, target, signal } = sending
  if (url !== null) {
    const found = await ask({ method: 'HEAD', url, signal })
    return found.ok ? { url, offset: found.answer.offset } : { failure: found.failure }
  }
  const headers = { 'upload-length': String(file.size), 'upload-metadata': metadataOf(sending) }
  const made = await ask({ method: 'POST', url: endpointOf(target), headers, signal })
  if (!made.ok) return { failure: made.failure }
  const { location, offset } = made.answer
  if (location === null) return { failure: { is: 'cut' } }
  sending.onUrl(location)
  return { url: location, offset }
}

/** A file that was moved or changed cannot be read any more, which looks like a line that broke. */
async function withReason(file: File, from: number, failure: SendFailure): Promise<SendFailure> {
  if (failure.is !== 'cut') return failure
  const isReadable = await file
    .slice(from, from + 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
  return isReadable ? failure : { is: 'unreadable' }
}

/** Tells the server that nobody wants the rest of an upload; it forgets it by itself after a day, too. */
export async function abandonUpload(url: string): Promise<void> {
  await tusRequest({ method: 'DELETE', url, signal: new AbortController().signal })
}
