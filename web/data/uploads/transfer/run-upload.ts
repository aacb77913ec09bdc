import { t } from '#web/i18n/t.ts'
import type { FileFingerprint } from '#web/data/uploads/persistence/upload-storage.ts'
import type { UploadEntries, UploadEntry } from '#web/data/uploads/upload-entries.ts'
import { countBytes, startMeter, type UploadTarget } from '#web/data/uploads/upload-types.ts'
import { printUploadMetadata } from '#domain/uploads/tus-headers.ts'
import { UPLOAD } from '#domain/specification.ts'
import {
  classifyFailure,
  type FailureAction,
  type SendFailure,
  type TusOutcome,
  type TusRequest,
  tusRequest,
} from './tus-request.ts'

export type UploadAttempt = {
  readonly file: File
  readonly name: string
  readonly path: string
  readonly target: UploadTarget
  readonly url: string | null
  readonly signal: AbortSignal
  readonly onUrl: (url: string) => void
  readonly onSafe: (bytes: number) => void
  readonly onSent: (bytes: number) => void
}

export type UploadResult =
  | { readonly is: 'arrived'; readonly fileId: string }
  | { readonly is: 'failed'; readonly failure: SendFailure }

type SendUpload = (sending: UploadAttempt) => Promise<UploadResult>

type SendTusRequest = (request: TusRequest) => Promise<TusOutcome>

/** The upload URL for a field; the server applies the field's limits from the first byte. */
function endpointOf({ collection, field, record }: UploadTarget): string {
  const query = new URLSearchParams({ collection, field, ...(record !== undefined && { record }) })
  return `/api/tus?${query}`
}

/** Base64-encodes UTF-8 text, as tus requires. */
const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

function metadataOf({ file, name, path }: UploadAttempt): string {
  const pairs = {
    filename: name,
    ...(file.type !== '' && { filetype: file.type }),
    ...(path !== '' && { relativePath: path }),
  }
  return printUploadMetadata(pairs, base64)
}

function fileIdOf(uploadAddress: string): string {
  const path = uploadAddress.split(/[?#]/)[0] ?? ''
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
}

/**
 * Gets the offset of an existing upload or creates a new upload, then sends chunks until the upload completes or a
 * chunk fails. Doesn't retry.
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

/** A file that was moved or changed can't be read, which looks like a network error. */
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

/** Deletes an upload on the server; otherwise it expires after a day. */
export async function abandonUpload(url: string): Promise<void> {
  await tusRequest({ method: 'DELETE', url, signal: new AbortController().signal })
}

export type RunDeps = {
  readonly send: SendUpload
  readonly print: (file: File) => Promise<FileFingerprint>
  readonly nowMs: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly untilReachable: (signal: AbortSignal) => Promise<void>
}

type RunContext = RunDeps & {
  readonly entries: UploadEntries
  readonly keep: (id: string) => void
}

/** Maximum number of reconnects without progress. */
const MAX_ROUNDS = 5

const KEEPS_BREAKING = t(
  'The connection keeps dropping. Nothing is lost; try again to continue where the upload stopped.',
)
const RESTARTED = t('The partial upload had expired, so it was restarted.')
const RETRIED = t('The file was moved or changed, or the browser can no longer read it.')

/** Runs an upload until it is finished or paused; returns whether it is finished. Never throws. */
export async function runUpload(means: RunContext, id: string, signal: AbortSignal): Promise<boolean> {
  const { entries } = means
  const backoff = createBackoff()
  for (;;) {
    const entry = entries.get(id)
    if (!entry || signal.aborted) return false
    if (!entry.file) return pause(means, id, { state: 'file-needed' })
    const sent = await trySending(means, entry, entry.file, signal)
    if (signal.aborted) return false
    if (sent.is === 'arrived') {
      entries.patch(id, { fileId: sent.fileId, state: 'storing', sentBytes: entry.bytes, safeBytes: entry.bytes })
      means.keep(id)
      return true
    }
    const outcome = backoff.checker(sent.failure, entries.get(id)?.safeBytes ?? 0)
    const mayGoOn = await handleFailure(means, id, outcome, signal)
    if (!mayGoOn) return false
  }
}

/** Counts attempts since the server last accepted a byte. */
function createBackoff() {
  let [tries, rounds, safeBefore] = [0, 0, -1]
  return {
    checker: (failure: SendFailure, safeBytes: number): FailureAction => {
      if (safeBytes > safeBefore) [tries, rounds, safeBefore] = [0, 0, safeBytes]
      const outcome = classifyFailure(failure, tries)
      if (outcome.do === 'wait') tries += 1
      if (outcome.do !== 'await-server') return outcome
      ;[tries, rounds] = [0, rounds + 1]
      return rounds > MAX_ROUNDS ? { do: 'fail', why: KEEPS_BREAKING } : outcome
    },
  }
}

async function trySending(means: RunContext, entry: UploadEntry, file: File, signal: AbortSignal) {
  const { entries, keep, nowMs, send } = means
  const { id, isKept, print } = entry
  entries.patch(id, { state: 'sending', failure: null, meter: startMeter(entry.safeBytes, nowMs()) })
  // Stores a fingerprint that identifies the file when it is selected again after a reload.
  if (!isKept && print === null) await storeFingerprint(means, id, file)
  const count = (sentBytes: number, part: Partial<UploadEntry> = {}) => {
    const now = entries.get(id)
    if (now && !signal.aborted)
      entries.patch(id, { sentBytes, meter: countBytes(now.meter, sentBytes, nowMs()), ...part })
  }
  return send({
    file,
    name: entry.name,
    path: entry.path,
    target: entry.place,
    url: entry.url,
    signal,
    onUrl: (url) => {
      entries.patch(id, { url })
      keep(id)
    },
    onSafe: (safeBytes) => {
      count(safeBytes, { safeBytes })
      keep(id)
    },
    onSent: (bytes) => count(bytes),
  })
}

async function storeFingerprint(means: RunContext, id: string, file: File): Promise<void> {
  const { entries, keep } = means
  const print = await means.print(file).then(
    (found) => found,
    () => null,
  )
  if (print === null) return
  entries.patch(id, { print })
  keep(id)
}

async function handleFailure(
  means: RunContext,
  id: string,
  outcome: FailureAction,
  signal: AbortSignal,
): Promise<boolean> {
  const { entries, wait, untilReachable } = means
  switch (outcome.do) {
    case 'wait':
      entries.patch(id, { state: 'retrying' })
      await wait(outcome.ms, signal)
      return true
    case 'await-server':
      entries.patch(id, { state: 'offline' })
      await untilReachable(signal)
      return true
    case 'restart':
      entries.patch(id, { url: null, safeBytes: 0, sentBytes: 0, note: RESTARTED })
      means.keep(id)
      return true
    case 'ask-for-file':
      return pause(means, id, { state: 'file-needed', file: undefined, isKept: false, note: RETRIED })
    // The session has ended; the upload is paused until the user signs in again.
    case 'renew-token':
    case 'hold':
      return pause(means, id, { state: 'paused', note: t('Paused until you sign in again.') })
    case 'fail':
      return pause(means, id, { state: 'failed', failure: outcome.why })
  }
}

function pause({ entries, keep }: RunContext, id: string, part: Partial<UploadEntry>): false {
  entries.patch(id, part)
  keep(id)
  return false
}
