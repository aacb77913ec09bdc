import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ReceiveOptions } from './receive-body.ts'
import { openStaging } from './staging.ts'

const ID = '01hzzzzzzz0123456789abcdef'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-storage-'))
})
afterEach(() => rm(folder, { recursive: true }))

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const anIntake = (part: Partial<ReceiveOptions>): ReceiveOptions => ({
  offset: 0,
  skip: 0,
  size: 10_000_000,
  onBytes: () => undefined,
  idleTimeoutMs: () => 5000,
  ...part,
})

const brokenBody = (bytes: Buffer): Readable =>
  Readable.from(
    (async function* () {
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
      throw new Error('ECONNRESET')
    })(),
    { objectMode: false },
  )

describe('an uploading file', () => {
  test('is assembled from chunks, and the hash covers the complete file', async () => {
    const staging = openStaging(join(folder, 'uploads'))
    const bytes = randomBytes(3_000_000)
    const seen = createHash('sha256')
    const onBytes = (part: Buffer) => void seen.update(part)
    await staging.append(ID, Readable.from([bytes.subarray(0, 1_000_000)]), anIntake({ onBytes }))
    const last = await staging.append(
      ID,
      Readable.from([bytes.subarray(900_000)]),
      anIntake({ offset: 1_000_000, skip: 100_000, onBytes }),
    )
    expect(last).toEqual({ ended: 'complete', offset: 3_000_000 })
    expect(await staging.hashOf(ID)).toBe(sha256(bytes))
    expect(seen.digest('hex')).toBe(sha256(bytes))
  })

  test('keeps the bytes received before an interruption', async () => {
    const staging = openStaging(folder)
    const bytes = randomBytes(12_345)
    expect(await staging.append(ID, brokenBody(bytes), anIntake({}))).toEqual({ ended: 'cut', offset: 12_345 })
    expect(await readFile(staging.pathOf(ID))).toEqual(bytes)
  })

  test('is overwritten by a repeated chunk', async () => {
    const staging = openStaging(folder)
    await staging.append(ID, brokenBody(Buffer.from('0123456789')), anIntake({}))
    await staging.append(ID, Readable.from([Buffer.from('abcdefg')]), anIntake({ offset: 5 }))
    expect(await readFile(staging.pathOf(ID), 'utf8')).toBe('01234abcdefg')
  })

  test('keeps all bytes stored by one server if a late chunk at another server is interrupted', async () => {
    const [one, another] = [openStaging(folder), openStaging(folder)]
    await one.append(ID, Readable.from([Buffer.from('0123456789')]), anIntake({}))
    expect(await another.append(ID, brokenBody(Buffer.from('56')), anIntake({ offset: 5 }))).toMatchObject({
      ended: 'cut',
    })
    expect(await readFile(one.pathOf(ID), 'utf8')).toBe('0123456789')
  })

  test('never exceeds its declared size', async () => {
    const staging = openStaging(folder)
    const body = Readable.from([Buffer.from('01234'), Buffer.from('56789')])
    expect((await staging.append(ID, body, anIntake({ size: 9 }))).ended).toBe('too-long')
    expect(await staging.bytesOf(ID)).toBe(5)
  })

  test('is interrupted if its sender is idle', async () => {
    const staging = openStaging(folder)
    const body = new Readable({ read: () => undefined })
    body.push('some')
    expect(await staging.append(ID, body, anIntake({ idleTimeoutMs: () => 10 }))).toEqual({ ended: 'cut', offset: 4 })
  })

  test('keeps the bytes received from a sender that is disconnected for being too slow', async () => {
    async function* drops(): AsyncGenerator<Buffer> {
      for (;;) yield await new Promise<Buffer>((resolve) => setImmediate(() => resolve(Buffer.alloc(1))))
    }
    const body = Readable.from(drops(), { objectMode: false })
    const minimumRate = { bytes: 10 ** 9, everyMs: 20 }
    const taken = await openStaging(folder).append(ID, body, anIntake({ minimumRate }))
    expect(taken).toMatchObject({ ended: 'cut', offset: expect.any(Number) })
    expect(body.destroyed).toBe(true)
  })

  test('is reported as lost if its beginning is missing', async () => {
    const staging = openStaging(folder)
    expect(await staging.append(ID, Readable.from([]), anIntake({ offset: 7 }))).toEqual({ ended: 'lost' })
  })

  test("can't be accessed by a path", () => {
    expect(() => openStaging(folder).pathOf('../../etc/passwd')).toThrow('Invalid upload ID.')
  })
})
