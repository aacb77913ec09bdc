import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
/** Encodes as Windows-1252, in which every character used here is one byte. */
const latin = (text: string) => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

test('text is decoded as Unicode with or without a byte order mark', () => {
  expect(decodeText(utf8('Grüße, 東京\n'))).toEqual({ text: 'Grüße, 東京\n' })
  expect(decodeText(utf8('\uFEFFGrüße'))).toEqual({ text: 'Grüße' })
  expect(decodeText(new Uint8Array())).toEqual({ text: '' })
})

test('an incomplete character at the end of the text is dropped', () => {
  expect(decodeText(utf8('Grüße 東').subarray(0, -1))).toEqual({ text: 'Grüße ' })
})

test('a legacy encoding is detected and named', () => {
  const text = 'Straße;Größe;Höhe\nMüllerstraße;für drei Personen;über 20 m\n'
  expect(decodeText(latin(text))).toEqual({ text, encoding: 'Western (Windows-1252, Latin-1)' })
  const wide = Uint8Array.from(
    [...'\uFEFFab'].flatMap((letter) => [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8]),
  )
  expect(decodeText(wide)).toEqual({ text: 'ab', encoding: 'Unicode (UTF-16 LE)' })
})

test('binary data is not accepted as text', () => {
  expect(decodeText(Uint8Array.from([0, 1, 2, 0, 3, 0, 0, 255, 7, 0]))).toBeUndefined()
})
