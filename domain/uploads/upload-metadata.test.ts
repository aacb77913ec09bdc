import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printUploadMetadata, readUploadMetadata } from './upload-metadata.ts'

/** Base64 of text that is its own UTF-8: enough to tell that the codec is used. */
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
  test('is pairs of a name and a value, and a bare name is an empty value', () => {
    expect(read('filename cGxhbi5wbmc=, filetype aW1hZ2UvcG5n,private')).toEqual({
      ok: true,
      value: { filename: 'plan.png', filetype: 'image/png', private: '' },
    })
    expect(read('')).toEqual({ ok: true, value: {} })
  })

  test('is refused when it is not what tus says it is', () => {
    for (const header of ['a b c', 'a ###', 'a QQ==,a QQ==', ',', 'a abcde', `a ${'QUFB'.repeat(3000)}`]) {
      expect(read(header).ok).toBe(false)
    }
  })

  test('cannot reach beyond its own names', () => {
    const read1 = read('__proto__ QQ==')
    expect(read1.ok && Object.getPrototypeOf(read1.value)).toBe(Object.prototype)
    expect(read1.ok && Object.keys(read1.value)).toEqual(['__proto__'])
  })

  test('says the same after it was printed and read', () => {
    const latin = fc.string({ unit: 'binary-ascii', maxLength: 40 })
    const name = fc.stringMatching(/^[a-z]{1,10}$/)
    fc.assert(
      fc.property(fc.dictionary(name, latin), (metadata) => {
        expect(read(printUploadMetadata(metadata, encode))).toEqual({ ok: true, value: { ...metadata } })
      }),
    )
  })
})
