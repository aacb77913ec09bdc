import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** How a body is taken in. */
export type Intake = {
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
  /** Is told how far the file is safe on disk, now and then, while a long body comes in. */
  readonly onSafe?: (offset: number) => Promise<void>
}

/**
 * How far the file is stored, and how the body ended: complete, broken off by its sender (or silent for too long), or
 * with more bytes than there is room for.
 */
export type Intaken = { readonly offset: number; readonly ended: 'complete' | 'cut' | 'too-long' }

/** Bytes gathered before they are written: large enough that the call costs nothing beside the bytes. */
const WRITE_BYTES = 1024 * 1024

/** After how many bytes a long body is made safe on its way: what a crash can cost a sender who sends all in one. */
const SAFE_BYTES = 64 * 1024 * 1024

const LOOK_EVERY_MS = 250

/** Writes a body into an open file and makes it durable. Whatever the body does, what was stored is told truly. */
export async function receiveBody(body: Readable, handle: FileHandle, intake: Intake): Promise<Intaken> {
  const parts = readParts(body, intake.patienceMs)
  const writer = openWriter(handle, intake.offset)
  try {
    const ended = await takeIn(parts, writer, intake)
    await writer.makeSafe()
    return { offset: writer.offset(), ended }
  } finally {
    parts.stop()
  }
}

async function takeIn(parts: Parts, writer: Writer, intake: Intake): Promise<Intaken['ended']> {
  let safeAt = intake.offset
  let toSkip = intake.skip
  for (;;) {
    const part = await parts.next()
    if (part === 'complete' || part === 'cut') return part

    const fresh = part.subarray(Math.min(toSkip, part.length))
    toSkip -= part.length - fresh.length
    if (writer.offset() + fresh.length > intake.size) return 'too-long'
    intake.onBytes(fresh)
    await writer.add(fresh)

    if (intake.onSafe !== undefined && writer.offset() - safeAt >= SAFE_BYTES) {
      await writer.makeSafe()
      safeAt = writer.offset()
      await intake.onSafe(safeAt)
    }
  }
}

type Parts = { readonly next: () => Promise<Buffer | 'complete' | 'cut'>; readonly stop: () => void }

/** The parts of a body as they come. A sender who is silent for longer than there is patience is cut off. */
function readParts(body: Readable, patienceMs: () => number): Parts {
  const iterator = body.iterator({ destroyOnReturn: false })
  let waitingSinceMs: number | undefined
  const watch = setInterval(() => {
    const isSilent = waitingSinceMs !== undefined && performance.now() - waitingSinceMs > patienceMs()
    if (isSilent) body.destroy(new Error('The sender was silent for too long.'))
  }, LOOK_EVERY_MS)
  watch.unref()

  const next = async (): Promise<Buffer | 'complete' | 'cut'> => {
    waitingSinceMs = performance.now()
    try {
      const step: IteratorResult<unknown> = await iterator.next()
      if (step.done === true) return 'complete'
      return Buffer.isBuffer(step.value) ? step.value : Buffer.from(String(step.value))
    } catch {
      return 'cut'
    } finally {
      waitingSinceMs = undefined
    }
  }
  return { next, stop: () => clearInterval(watch) }
}

type Writer = {
  readonly offset: () => number
  readonly add: (bytes: Buffer) => Promise<void>
  readonly makeSafe: () => Promise<void>
}

/** Gathers bytes and writes them while the next ones come in. */
function openWriter(handle: FileHandle, start: number): Writer {
  let gathered: Buffer[] = []
  let gatheredBytes = 0
  let writtenTo = start
  let writing: Promise<void> = Promise.resolve()
  let failure: Error | undefined

  const write = async (buffers: readonly Buffer[], position: number): Promise<void> => {
    try {
      await writeAll(handle, buffers, position)
    } catch (error) {
      // Told with the next call: nobody may be waiting for this very write.
      failure ??= error instanceof Error ? error : new Error('The disk failed without saying why.')
    }
  }
  const settle = async (): Promise<void> => {
    await writing
    if (failure !== undefined) throw failure
  }
  const flush = async (): Promise<void> => {
    await settle()
    if (gatheredBytes === 0) return
    writing = write(gathered, writtenTo)
    writtenTo += gatheredBytes
    gathered = []
    gatheredBytes = 0
  }
  return {
    offset: () => writtenTo + gatheredBytes,
    add: async (bytes) => {
      if (bytes.length === 0) return
      gathered.push(bytes)
      gatheredBytes += bytes.length
      if (gatheredBytes >= WRITE_BYTES) await flush()
    },
    makeSafe: async () => {
      await flush()
      await settle()
      if (writtenTo > start) await handle.datasync()
    },
  }
}

/** A disk that is nearly full may take only a part; the next try says that it is full. */
async function writeAll(handle: FileHandle, buffers: readonly Buffer[], position: number): Promise<void> {
  const { bytesWritten } = await handle.writev(buffers, position)
  const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
  if (bytesWritten === bytes) return
  if (bytesWritten === 0) throw new Error('The disk takes no more bytes.')
  await writeAll(handle, [Buffer.concat(buffers).subarray(bytesWritten)], position + bytesWritten)
}
