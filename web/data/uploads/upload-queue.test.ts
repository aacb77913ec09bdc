import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError } from '#web/data/api/call-error.ts'
import type { SendFailure } from './transfer/tus-request.ts'
import type { UploadAttempt, UploadResult } from './transfer/run-upload.ts'
import { createUploadQueue, type QueueDeps } from './upload-queue.ts'
import type { UploadedFile } from './upload-types.ts'
import type { FoundUpload, StoredUpload } from './persistence/upload-storage.ts'

type Line = { readonly sending: UploadAttempt; readonly end: (sent: UploadResult) => Promise<void> }

const arrived: UploadResult = { is: 'arrived', fileId: 'f' }
const failed = (failure: SendFailure): UploadResult => ({ is: 'failed', failure })
const cut = failed({ is: 'cut' })
const refusal = (status: number): UploadResult =>
  failed({ is: 'refused', requested: 'chunk', status, detail: `No: ${status}`, retryAfterMs: null })

const settle = () => vi.advanceTimersByTimeAsync(0)
const whenReported = () => vi.advanceTimersByTimeAsync(70)
const whenGathered = () => vi.advanceTimersByTimeAsync(420)
const aFile = (name: string) => ({ file: new File(['abc'], name, { lastModified: 1 }), path: '' })
const place = { collection: 'cases', field: 'plans', record: 'r', label: 'Plans' }

function aQueue(part: Partial<QueueDeps> = {}) {
  const lines: Line[] = []
  const waits: number[] = []
  const kept = new Map<string, StoredUpload>()
  const attached: string[][] = []
  const back: (() => void)[] = []
  let made = 0
  const queue = createUploadQueue({
    tab: 'tab',
    shelf: {
      keep: async (uploads) => uploads.forEach((each) => kept.set(each.id, each)),
      keepBytes: async () => false,
      drop: async (ids) => ids.forEach((id) => kept.delete(id)),
    },
    newId: () => `${(made += 1)}`,
    print: async ({ name, size, lastModified }) => ({ name, bytes: size, lastModified, content: name }),
    abandon: async () => undefined,
    attach: async (_, files) => {
      const ids = files.map(({ id }) => id)
      attached.push(ids)
      return { record: { id: 'r' } as never, before: [], after: ids }
    },
    takerOf: () => undefined,
    isHeld: () => false,
    onAttached: () => undefined,
    onRefused: () => undefined,
    nowMs: () => 0,
    wait: async (ms) => void waits.push(ms),
    untilReachable: () => new Promise((resolve) => back.push(resolve)),
    send: (sending) =>
      new Promise((resolve) => {
        lines.push({
          sending,
          end: async (sent) => {
            resolve(sent)
            await settle()
          },
        })
      }),
    ...part,
  })
  queue.begin('ada', [])
  const states = async () => {
    await whenReported()
    return queue.get().jobs.map(({ name, state }) => `${name} ${state}`)
  }
  return { queue, lines, waits, kept, attached, back, states }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the upload queue', () => {
  test('uploads two files at a time across all fields, and starts the next when one is finished', async () => {
    const { queue, lines } = aQueue()
    queue.add(place, [aFile('a'), aFile('b')])
    queue.add({ ...place, field: 'photos' }, [aFile('c'), aFile('d')])
    await settle()
    expect(lines.map(({ sending }) => sending.name)).toEqual(['a', 'b'])
    await lines[0]?.end(arrived)
    expect(lines.map(({ sending }) => sending.name)).toEqual(['a', 'b', 'c'])
  })

  test("gives a paused file's slot to the next file, and resumes the paused file at the same URL", async () => {
    const { queue, lines, states } = aQueue()
    queue.add(place, [aFile('a'), aFile('b'), aFile('c')])
    await settle()
    lines[0]?.sending.onUrl('/api/tus/one')
    queue.pause(['1'])
    expect(lines[0]?.sending.signal.aborted).toBe(true)
    await settle()
    expect(await states()).toEqual(['a paused', 'b sending', 'c sending'])
    await lines[1]?.end(arrived)
    queue.resume(['1'])
    await settle()
    expect(lines.at(-1)?.sending).toMatchObject({ name: 'a', url: '/api/tus/one' })
  })

  test('retries after 500, 1000 and 3000 ms, then on reconnect, and resets the delays after progress', async () => {
    const { queue, lines, waits, back, states } = aQueue()
    queue.add(place, [aFile('a')])
    await settle()
    for (const at of [0, 1, 2, 3]) await lines[at]?.end(cut)
    expect(waits).toEqual([500, 1000, 3000])
    expect(await states()).toEqual(['a offline'])
    back[0]?.()
    await settle()
    lines[4]?.sending.onSafe(2)
    await lines[4]?.end(cut)
    expect(waits).toEqual([500, 1000, 3000, 500])
  })

  test('stops after repeated reconnects without progress', async () => {
    const { queue, lines, back, states } = aQueue()
    queue.add(place, [aFile('a')])
    for (let at = 0; at < 40 && (await states())[0] !== 'a failed'; at += 1) {
      await lines.at(-1)?.end(cut)
      back.at(-1)?.()
      await settle()
    }
    expect(queue.get().jobs[0]?.failure).toContain(
      'The connection keeps dropping. Nothing is lost; try again to continue where the upload stopped.',
    )
  })

  test('does not retry a permanent error, and shows the message from the server', async () => {
    const { queue, lines, waits } = aQueue()
    queue.add(place, [aFile('a')])
    await settle()
    await lines[0]?.end(refusal(415))
    expect(lines).toHaveLength(1)
    expect(waits).toEqual([])
    await whenReported()
    expect(queue.get().jobs[0]).toMatchObject({ state: 'failed', failure: 'No: 415' })
    queue.retry()
    await settle()
    expect(lines).toHaveLength(2)
  })

  test('stores the URL and offset of each unfinished upload', async () => {
    const { queue, lines, kept } = aQueue()
    queue.add(place, [aFile('a')])
    await settle()
    lines[0]?.sending.onUrl('/api/tus/one')
    lines[0]?.sending.onSafe(2)
    expect(kept.get('1')).toMatchObject({ url: '/api/tus/one', safeBytes: 2, userId: 'ada', print: { name: 'a' } })
    await lines[0]?.end(arrived)
    expect(kept.size).toBe(0)
  })

  test('resumes stored uploads, and requests files whose content is not stored', async () => {
    const first = aQueue()
    first.queue.add(place, [aFile('a'), aFile('b')])
    await settle()
    first.lines[0]?.sending.onUrl('/api/tus/one')
    const found = [...first.kept.values()].map(
      (each, at): FoundUpload => ({
        kept: each,
        file: at === 1 ? aFile('b').file : undefined,
      }),
    )
    const { queue, lines, states } = aQueue({ newId: () => 'new' })
    queue.begin('ada', found)
    expect(await states()).toEqual(['a file-needed', 'b sending'])
    expect(await queue.giveFile('1', new File(['xyz!'], 'a'))).toContain(
      'This is a different file: “a” has 3 bytes, but this one has 4.',
    )
    expect(await queue.giveFile('1', new File(['abc'], 'a', { lastModified: 1 }))).toBeUndefined()
    expect(lines.at(-1)?.sending).toMatchObject({ name: 'a', url: '/api/tus/one' })
  })

  test('restarts an upload that the server deleted, and reports it', async () => {
    const { queue, lines } = aQueue()
    queue.add(place, [aFile('a')])
    await settle()
    lines[0]?.sending.onUrl('/api/tus/one')
    await lines[0]?.end(cut)
    await lines[1]?.end(failed({ is: 'refused', requested: 'offset', status: 410, detail: null, retryAfterMs: null }))
    expect(lines[2]?.sending.url).toBeNull()
    await whenReported()
    expect(queue.get().jobs[0]?.note).toContain('The partial upload had expired, so it was restarted.')
  })

  test('pauses when the session ends, resumes for the same user, and shows nothing to others', async () => {
    const { queue, lines, kept, states } = aQueue()
    queue.add(place, [aFile('a')])
    await settle()
    queue.halt(false)
    expect(lines[0]?.sending.signal.aborted).toBe(true)
    expect(kept.size).toBe(1)
    queue.begin('ada', [])
    await settle()
    expect(lines).toHaveLength(2)
    queue.halt(false)
    queue.begin('grace', [])
    expect(await states()).toEqual([])
    expect(lines).toHaveLength(2)
  })

  test('deletes all stored uploads on sign-out', async () => {
    const { queue, kept, states } = aQueue()
    queue.add(place, [aFile('a'), aFile('b')])
    await settle()
    queue.halt(true)
    expect(kept.size).toBe(0)
    expect(await states()).toEqual([])
  })
})

describe('a finished upload', () => {
  test('is added to its field if the field is open', async () => {
    const taken: UploadedFile[] = []
    const { queue, lines, attached } = aQueue({ takerOf: () => (files) => void taken.push(...files) })
    queue.add(place, [aFile('a')])
    await settle()
    await lines[0]?.end(arrived)
    expect(taken.map(({ name, id }) => `${name} ${id}`)).toEqual(['a f'])
    expect(attached).toEqual([])
  })

  test('is added to the record if its field is not open', async () => {
    const { queue, lines, attached } = aQueue()
    queue.add(place, [aFile('a')])
    await settle()
    await lines[0]?.end(arrived)
    expect(attached).toEqual([['f']])
    expect(queue.countFor(place)).toBe(0)
  })

  test('is kept if attaching it fails, and can be attached again on request without another upload', async () => {
    let isOpen = false
    const attach: QueueDeps['attach'] = async (_, files) => {
      if (isOpen) return { record: { id: 'r' } as never, before: [], after: files.map(({ id }) => id) }
      throw new CallError('forbidden', 'The record is frozen.', { status: 403 })
    }
    const { queue, lines, states } = aQueue({ attach })
    queue.add(place, [aFile('a')])
    await settle()
    await lines[0]?.end(arrived)
    expect(await states()).toEqual(['a failed'])
    expect(queue.get().jobs[0]?.failure).toBe('The record is frozen.')
    isOpen = true
    await whenGathered()
    queue.retry()
    expect(await states()).toEqual([])
    expect(lines).toHaveLength(1)
  })

  test('is reported if its form was closed in the meantime', async () => {
    const { record: _, ...form } = place
    const { queue, lines, kept } = aQueue()
    queue.add(form, [aFile('a')])
    await settle()
    expect(queue.wouldLose()).toBe(true)
    await lines[0]?.end(arrived)
    await whenReported()
    expect(queue.get().jobs[0]?.failure).toContain('form')
    expect(kept.size).toBe(0)
  })
})
