import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type MinimumRate, createRateMeter, UPLOAD_RATE } from './minimum-rate.ts'

/** How a body is taken in. */
export type ReceiveOptions = {
  /** Where in the file its first byte goes. */
  readonly offset: number
  /** Leading bytes that are there already and are left out. */
  readonly skip: number
  /** Bytes the file may have in all. */
  readonly size: number
  /** Is handed every byte that is stored, in order. */
  readonly onBytes: (bytes: Buffer) => void
  /** How long the sender may be silent now, in ms; asked again and again. */
  readonly patienceMs: () => number
  /** How slow the sender may be; `UPLOAD_RATE` by default. */
  readonly minimumRate?: MinimumRate
  /** Is told how far the file is safe on disk, now and then, while a long body comes in. */
  readonly onSafe?: (offset: number) => Promise<void>
  /** Is asked once, as soon as the file's first `bytes` can be read where it lies, whether to go on. */
  readonly beginning?: { readonly bytes: number; readonly isWanted: () => Promise<boolean> }
}

/**
 * How far the file is stored, and how the body ended: complete, broken off by its sender (or silent for too long), with
 * more bytes than there is room for, or left unread because its beginning is not wanted.
 */
export type ReceiveResult = { readonly offset: number; readonly ended: 'complete' | 'cut' | 'too-long' | 'unwanted' }

/** Bytes gathered before they are written: large enough that the call costs nothing beside the bytes. */
const WRITE_BYTES = 1024 * 1024

/** After how many bytes a long body is made safe on its way: what a crash can cost a sender who sends all in one. */
const SYNC_INTERVAL_BYTES = 64 * 1024 * 1024

const CHECK_INTERVAL_MS = 250

// Imported by name, `node:http` would load its whole WebSocket client with it: 8 MB that nobody needs.
const { IncomingMessage } = process.getBuiltinModule('node:http')

/** Writes a body into an open file and makes it durable. Whatever the body does, what was stored is told truly. */
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
  /** Says that nobody looks at a part any more. */
  readonly giveBack: (part: Buffer) => void
  readonly stop: () => void
}

/** The parts of a body as they come. A sender that is silent or slow for too long is cut off. */
function readParts(body: Readable, { patienceMs, minimumRate = UPLOAD_RATE }: ReceiveOptions): PartReader {
  const iterator = body.iterator({ destroyOnReturn: false })
  const rate = createRateMeter(minimumRate)
  let waitingSinceMs: number | undefined
  const watch = setInterval(() => {
    const isSilent = waitingSinceMs !== undefined && performance.now() - waitingSinceMs > patienceMs()
    if (isSilent) body.destroy(new Error('The client sent no data for too long.'))
  }, CHECK_INTERVAL_MS)
  watch.unref()

  const next = async (): Promise<Buffer | 'complete' | 'cut'> => {
    const askedAt = performance.now()
    waitingSinceMs = askedAt
    try {
      const step: IteratorResult<unknown> = await iterator.next()
      if (step.done === true) return 'complete'
      const part = Buffer.isBuffer(step.value) ? step.value : Buffer.from(String(step.value))
      if (!rate.isTooSlow(part.length, performance.now() - askedAt)) return part
      body.destroy(new Error('The client sent data too slowly.'))
      return 'cut'
    } catch {
      return 'cut'
    } finally {
      waitingSinceMs = undefined
    }
  }
  // Only what Node's own HTTP reader made is surely nobody else's.
  const giveBack = body instanceof IncomingMessage ? freeMemory : () => undefined
  return { next, giveBack, stop: () => clearInterval(watch) }
}

/**
 * Frees the memory of a part at once. Left to the garbage collector, the parts of a large file make it look through
 * everything the server holds for every 15 MB: half of the time that an upload took.
 */
function freeMemory({ buffer, byteOffset, byteLength }: Buffer): void {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

type Writer = {
  readonly offset: () => number
  readonly add: (bytes: Buffer) => Promise<void>
  readonly makeSafe: () => Promise<void>
  /** Writes what was gathered, so that it can be read. */
  readonly settle: () => Promise<void>
  /** Waits for what is being written and leaves the buffers to the next. */
  readonly close: () => Promise<void>
}

/** Buffers that are free to be filled: those of the uploads that are usually under way at a time. */
const freeBuffers: Buffer[] = []
const MAX_FREE_BUFFERS = 8

/** Gathers bytes in one buffer while the other is written. */
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
      // Told with the next call: nobody may be waiting for this very write.
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

/** A disk that is nearly full may take only a part; the next try says that it is full. */
async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length, position)
  if (bytesWritten === bytes.length) return
  if (bytesWritten === 0) throw new Error('The disk is full.')
  await writeAll(handle, bytes.subarray(bytesWritten), position + bytesWritten)
}
