import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHECKSUM_ALGORITHMS, readChecksum } from './upload-checksum.ts'

test('a sum is an algorithm and its digest in base64, with or without what fills it up', () => {
  const sha1 = { ok: true, value: { algorithm: 'sha1', digest: 'Kq5sNclPz7QV2+lfQIuc6R7oRu0=' } }
  expect(readChecksum('sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=')).toEqual(sha1)
  expect(readChecksum(' sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0 ')).toEqual(sha1)
})

test.each([
  ['', 'not “”'],
  ['crc32 AAAAAA==', 'not “crc32”'],
  ['SHA1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=', 'not “SHA1”'],
  ['sha1', '28 characters'],
  ['sha1 Kq5s', '28 characters'],
  ['sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu==', '28 characters'],
  ['sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0= x', '28 characters'],
  ['sha256 Kq5sNclPz7QV2+lfQIuc6R7oRu0=', '44 characters'],
  ['md5 *', '24 characters'],
])('“%s” cannot be used, and it says why: %s', (header, words) => {
  const read = readChecksum(header)
  expect(read.ok ? '' : read.fault).toContain(words)
})

test('whatever is sent, a sum that is taken has the length of its algorithm', () => {
  const bytes = { sha1: 28, sha256: 44, sha384: 64, sha512: 88, md5: 24 }
  const header = fc.tuple(fc.constantFrom(...CHECKSUM_ALGORITHMS, 'x'), fc.base64String())
  fc.assert(
    fc.property(header, ([algorithm, digest]) => {
      const read = readChecksum(`${algorithm} ${digest}`)
      if (read.ok) expect(read.value.digest).toHaveLength(bytes[read.value.algorithm])
    }),
  )
})
