import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readZip } from '#tests/support/files/read-zip.ts'
import { type ZipEntry, zipArchive, zipBytes } from './zip-archive.ts'

const AT = new Date('2026-03-01T10:00:02.000Z')

const entry = (path: string, bytes: Buffer, said = bytes.length): ZipEntry => ({
  path,
  bytes: said,
  at: AT,
  open: async () => Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]),
})

const archiveOf = async (entries: readonly ZipEntry[]): Promise<Buffer> =>
  Buffer.concat(await Readable.from(zipArchive(entries)).toArray())

test('contains every file under its path and has the declared length', async () => {
  const file = fc.record({ path: fc.string({ minLength: 1 }), bytes: fc.uint8Array({ maxLength: 2000 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(file), async (files) => {
      const entries = files.map(({ path, bytes }) => entry(path, Buffer.from(bytes)))
      const archive = await archiveOf(entries)
      expect(archive.length).toBe(zipBytes(entries))
      expect(readZip(archive)).toEqual(files.map(({ path, bytes }) => ({ path, bytes: Buffer.from(bytes) })))
    }),
  )
})

test('writes an empty archive', async () => {
  expect(readZip(await archiveOf([]))).toEqual([])
})

test.each([1, -1])('fails if a file is %i bytes longer than declared', async (more) => {
  await expect(archiveOf([entry('a', Buffer.from('hello'), 5 - more)])).rejects.toThrow(
    'A file in the archive does not have its declared size.',
  )
})

test('includes Zip64 fields in the computed length above 4 GiB', () => {
  const of = (...bytes: number[]): number =>
    zipBytes(bytes.map((each) => ({ ...entry('a', Buffer.alloc(0)), bytes: each })))
  const [small, limit] = [of(0), 0xff_ff_ff_ff]
  expect(of(limit - 1) - small).toBe(limit - 1 + 56 + 20)
  // Zip64 sizes in the local header, data descriptor and central directory, plus a Zip64 end record.
  expect(of(limit) - small).toBe(limit + 20 + 8 + 20 + 56 + 20)
  // A Zip64 offset in the central directory.
  expect(of(limit, 0) - of(limit)).toBe(small - 22 + 12)
})

test('opens files one at a time, and closes the current file when the client disconnects', async () => {
  const opened: string[] = []
  const sources: Readable[] = []
  const watched = (path: string): ZipEntry => ({
    ...entry(path, Buffer.alloc(10)),
    open: async () => {
      opened.push(path)
      sources.push(Readable.from([Buffer.alloc(5), Buffer.alloc(5)]))
      return sources.at(-1) ?? Readable.from([])
    },
  })
  const parts = zipArchive([watched('a'), watched('b'), watched('c')])
  const heads = [await parts.next(), await parts.next()]
  expect(heads).toHaveLength(2)
  expect(opened).toEqual(['a'])
  await parts.return(undefined)
  expect(sources.map(({ destroyed }) => destroyed)).toEqual([true])
})
