import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

type MinimumRate = { readonly bytes: number; readonly everyMs: number }

/**
 * 500 bytes per second: a tenth of the speed of the slowest mobile networks. Resumable uploads keep the received bytes.
 */
export const UPLOAD_RATE: MinimumRate = { bytes: 30_000, everyMs: 60_000 }

/** Measures a sender's rate only while waiting for it, so that a slow disk on our side doesn't count. */
export function createRateMeter({ bytes: wanted, everyMs }: MinimumRate) {
  let waited = 0
  let received = 0
  return {
    isTooSlow: (bytes: number, waitedMs: number): boolean => {
      waited += waitedMs
      received += bytes
      if (waited < everyMs) return false
      const isSlow = received < wanted
      waited = 0
      received = 0
      return isSlow
    },
  }
}

export type ReceiveOptions = {
  readonly offset: number
  readonly skip: number
  readonly size: number
  readonly onBytes: (bytes: Buffer) => void
  /** Returns the idle timeout in ms; called repeatedly because it can change. */
  readonly idleTimeoutMs: () => number
  readonly minimumRate?: MinimumRate
  readonly onSafe?: (offset: number) => Promise<void>
  /** Called once the first `bytes` can be read, to decide whether to continue. */
  readonly beginning?: { readonly bytes: number; readonly isWanted: () => Promise<boolean> }
}

/** The number of stored bytes and how the body ended. */
export type ReceiveResult = { readonly offset: number; readonly ended: 'complete' | 'cut' | 'too-long' | 'unwanted' }

const WRITE_BYTES = 1024 * 1024

/** Number of bytes after which a long body is flushed to disk, which limits data loss in a crash. */
const SYNC_INTERVAL_BYTES = 64 * 1024 * 1024

const CHECK_INTERVAL_MS = 250

// A named import would also load the WebSocket client of `node:http`, which uses 8 MB.
const { IncomingMessage } = process.getBuiltinModule('node:http')

/**
 * Writes a body to an open file and makes it durable. Reports exactly how many bytes were stored, however the body
 * ended.
 */
export async function receiveBody(body: Readable, handle: FileHandle, intake: ReceiveOptions): Promise<ReceiveResult> {
  const parts = readParts(body, intake)
  const writer = openWriter(handle, intake.offset)
  try {
    const ended = await receiveParts(parts, writer, intake)
    await writer.makeSafe()
    return { offset: writer.offset(), ended }
  } finally {
    parts.stop()
    await writer.close()
  }
}

async function receiveParts(
  parts: PartReader,
  writer: Writer,
  intake: ReceiveOptions,
): Promise<ReceiveResult['ended']> {
  let safeAt = intake.offset
  let toSkip = intake.skip
  const { beginning } = intake
  for (;;) {
    const part = await parts.next()
    if (part === 'complete' || part === 'cut') return part

    const fresh = part.subarray(Math.min(toSkip, part.length))
    toSkip -= part.length - fresh.length
    if (writer.offset() + fresh.length > intake.size) return 'too-long'
    intake.onBytes(fresh)
    const before = writer.offset()
    await writer.add(fresh)
    parts.giveBack(part)

    if (beginning !== undefined && before < beginning.bytes && writer.offset() >= beginning.bytes) {
      await writer.settle()
      if (!(await beginning.isWanted())) return 'unwanted'
    }

    if (intake.onSafe !== undefined && writer.offset() - safeAt >= SYNC_INTERVAL_BYTES) {
      await writer.makeSafe()
      safeAt = writer.offset()
      await intake.onSafe(safeAt)
    }
  }
}

type PartReader = {
  readonly next: () => Promise<Buffer | 'complete' | 'cut'>
  readonly giveBack: (part: Buffer) => void
  readonly stop: () => void
}

function readParts(body: Readable, { idleTimeoutMs, minimumRate = UPLOAD_RATE }: ReceiveOptions): PartReader {
  const iterator = body.iterator({ destroyOnReturn: false })
  const rate = createRateMeter(minimumRate)
  let waitingSinceMs: number | undefined
  const watch = setInterval(() => {
    const isSilent = waitingSinceMs !== undefined && performance.now() - waitingSinceMs > idleTimeoutMs()
    if (isSilent) body.destroy(new Error('The client sent no data for too long.'))
  }, CHECK_INTERVAL_MS)
  watch.unref()

  const next = async (): Promise<Buffer | 'complete' | 'cut'> => {
    const requestedAt = performance.now()
    waitingSinceMs = requestedAt
    try {
      const step: IteratorResult<unknown> = await iterator.next()
      if (step.done === true) return 'complete'
      const part = Buffer.isBuffer(step.value) ? step.value : Buffer.from(String(step.value))
      if (!rate.isTooSlow(part.length, performance.now() - requestedAt)) return part
      body.destroy(new Error('The client sent data too slowly.'))
      return 'cut'
    } catch {
      return 'cut'
    } finally {
      waitingSinceMs = undefined
    }
  }
  // Only buffers from Node's HTTP parser are guaranteed not to be shared.
  const giveBack = body instanceof IncomingMessage ? freeMemory : () => undefined
  return { next, giveBack, stop: () => clearInterval(watch) }
}

/** Frees a chunk's memory immediately, because garbage collection took half the time of an upload. */
function freeMemory({ buffer, byteOffset, byteLength }: Buffer): void {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

type Writer = {
  readonly offset: () => number
  readonly add: (bytes: Buffer) => Promise<void>
  readonly makeSafe: () => Promise<void>
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Reusable buffers, enough for the usual number of concurrent uploads. */
const freeBuffers: Buffer[] = []
const MAX_FREE_BUFFERS = 8

function openWriter(handle: FileHandle, start: number): Writer {
  let filling = freeBuffers.pop() ?? Buffer.allocUnsafeSlow(WRITE_BYTES)
  let spare = freeBuffers.pop() ?? Buffer.allocUnsafeSlow(WRITE_BYTES)
  let filled = 0
  let writtenTo = start
  let writing: Promise<void> = Promise.resolve()
  let failure: Error | undefined

  const write = async (bytes: Buffer, position: number): Promise<void> => {
    try {
      await writeAll(handle, bytes, position)
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error('Unknown disk error.')
    }
  }
  const settle = async (): Promise<void> => {
    await writing
    if (failure !== undefined) throw failure
  }
  const flush = async (): Promise<void> => {
    await settle()
    if (filled === 0) return
    writing = write(filling.subarray(0, filled), writtenTo)
    writtenTo += filled
    filled = 0
    const next = spare
    spare = filling
    filling = next
  }
  return {
    offset: () => writtenTo + filled,
    add: async (bytes) => {
      for (let taken = 0; taken < bytes.length; ) {
        const copied = bytes.copy(filling, filled, taken)
        filled += copied
        taken += copied
        if (filled === WRITE_BYTES) await flush()
      }
    },
    settle: async () => {
      await flush()
      await settle()
    },
    makeSafe: async () => {
      await flush()
      await settle()
      if (writtenTo > start) await handle.datasync()
    },
    close: async () => {
      await writing
      if (freeBuffers.length < MAX_FREE_BUFFERS) freeBuffers.push(filling, spare)
    },
  }
}

/** A nearly full disk may accept only part of the data; writing the rest then reports the error. */
async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length, position)
  if (bytesWritten === bytes.length) return
  if (bytesWritten === 0) throw new Error('The disk is full.')
  await writeAll(handle, bytes.subarray(bytesWritten), position + bytesWritten)
}
