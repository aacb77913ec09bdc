import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHECKSUM_ALGORITHMS, printUploadMetadata, readChecksum, readUploadMetadata } from './tus-headers.ts'

test('accepts a checksum algorithm and a Base64 digest with or without padding', () => {
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
])('rejects the header “%s” with: %s', (header, words) => {
  const read = readChecksum(header)
  expect(read.ok ? '' : read.fault).toContain(words)
})

test('returns a digest with the length required by its algorithm', () => {
  const bytes = { sha1: 28, sha256: 44, sha384: 64, sha512: 88, md5: 24 }
  const header = fc.tuple(fc.constantFrom(...CHECKSUM_ALGORITHMS, 'x'), fc.base64String())
  fc.assert(
    fc.property(header, ([algorithm, digest]) => {
      const read = readChecksum(`${algorithm} ${digest}`)
      if (read.ok) expect(read.value.digest).toHaveLength(bytes[read.value.algorithm])
    }),
  )
})

/** Base64 of ASCII text is enough to show that the codec is called. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function encode(text: string): string {
  const bits = [...text].map((letter) => letter.charCodeAt(0).toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{1,6}/g) ?? []).map((six) => DIGITS.charAt(Number.parseInt(six.padEnd(6, '0'), 2)))
  return digits.join('') + '='.repeat((4 - (digits.length % 4)) % 4)
}

function decode(base64: string): string {
  const bits = [...base64.replaceAll('=', '')]
    .map((digit) => DIGITS.indexOf(digit).toString(2).padStart(6, '0'))
    .join('')
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('')
}

const read = (header: string) => readUploadMetadata(header, decode)

describe('the metadata header', () => {
  test('contains key-value pairs; a missing value is empty', () => {
    expect(read('filename cGxhbi5wbmc=, filetype aW1hZ2UvcG5n,private')).toEqual({
      ok: true,
      value: { filename: 'plan.png', filetype: 'image/png', private: '' },
    })
    expect(read('')).toEqual({ ok: true, value: {} })
  })

  test('is rejected if it violates the tus protocol', () => {
    for (const header of ['a b c', 'a ###', 'a QQ==,a QQ==', ',', 'a abcde', `a ${'QUFB'.repeat(3000)}`]) {
      expect(read(header).ok).toBe(false)
    }
  })

  test('can’t set inherited properties', () => {
    const read1 = read('__proto__ QQ==')
    expect(read1.ok && Object.getPrototypeOf(read1.value)).toBe(Object.prototype)
    expect(read1.ok && Object.keys(read1.value)).toEqual(['__proto__'])
  })

  test('round-trips', () => {
    const latin = fc.string({ unit: 'binary-ascii', maxLength: 40 })
    const name = fc.stringMatching(/^[a-z]{1,10}$/)
    fc.assert(
      fc.property(fc.dictionary(name, latin), (metadata) => {
        expect(read(printUploadMetadata(metadata, encode))).toEqual({ ok: true, value: { ...metadata } })
      }),
    )
  })
})
