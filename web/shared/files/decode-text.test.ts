import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
/** Windows-1252, in which every letter used in the test is one byte. */
const latin = (text: string) => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

test('reads Unicode with and without a byte order mark', () => {
  expect(decodeText(utf8('Grüße, 東京\n'))).toEqual({ text: 'Grüße, 東京\n' })
  expect(decodeText(utf8('\uFEFFGrüße'))).toEqual({ text: 'Grüße' })
  expect(decodeText(new Uint8Array())).toEqual({ text: '' })
})

test('drops a character truncated at the end', () => {
  expect(decodeText(utf8('Grüße 東').subarray(0, -1))).toEqual({ text: 'Grüße ' })
})

test('detects and names a legacy encoding', () => {
  const text = 'Straße;Größe;Höhe\nMüllerstraße;für drei Personen;über 20 m\n'
  expect(decodeText(latin(text))).toEqual({ text, encoding: 'Western (Windows-1252, Latin-1)' })
  const wide = Uint8Array.from(
    [...'\uFEFFab'].flatMap((letter) => [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8]),
  )
  expect(decodeText(wide)).toEqual({ text: 'ab', encoding: 'Unicode (UTF-16 LE)' })
})

test('rejects binary data', () => {
  expect(decodeText(Uint8Array.from([0, 1, 2, 0, 3, 0, 0, 255, 7, 0]))).toBeUndefined()
})
