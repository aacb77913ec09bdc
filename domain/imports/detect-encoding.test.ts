import { describe, expect, test } from 'vitest'
import { type Decode, detectEncoding } from './detect-encoding.ts'
import type { Encoding } from './encodings.ts'

const decode: Decode = (bytes, encoding) => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** `TextEncoder` only supports UTF-8, so the decoding table is inverted. */
function encode(text: string, encoding: Encoding): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const known = new Map<string, number[]>()
  const singles = Array.from({ length: 256 }, (_, byte) => [byte])
  const pairs = Array.from({ length: 126 * 256 }, (_, at) => [0x81 + Math.floor(at / 256), at % 256])
  const isDouble = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'].includes(encoding)
  for (const bytes of isDouble ? [...singles, ...pairs] : singles) {
    const sign = decoder.decode(Uint8Array.from(bytes))
    if (!sign.includes('\ufffd') && [...sign].length === 1 && !known.has(sign)) known.set(sign, bytes)
  }
  return Uint8Array.from(
    [...text].flatMap((sign) => {
      const bytes = known.get(sign)
      if (!bytes) throw new Error(`${encoding} has no ${sign}`)
      return bytes
    }),
  )
}

const find = (bytes: Uint8Array, more: { readonly isUtf8?: boolean; readonly hasZero?: boolean } = {}) =>
  detectEncoding({ head: bytes, foreignLines: bytes, isUtf8: false, hasZero: false, ...more }, decode)

const TEXTS: readonly (readonly [Encoding, string])[] = [
  [
    'windows-1252',
    'name;city\nJosé Peña;Málaga\nRenée Müller;Köln\nÉmile Zola;Besançon\nSøren Ærø;Århus\nGarçon “à la carte” – 5 €\n',
  ],
  [
    'windows-1250',
    'jméno;město\nŁukasz Żółty;Łódź\nGrażyna Święcicka;Gdańsk\nPaweł Wójcik;Częstochowa\nZażółć gęślą jaźń\n',
  ],
  ['windows-1251', 'имя;город\nАнна Каренина;Москва\nФёдор Достоевский;Санкт-Петербург\n'],
  ['koi8-r', 'имя;город\nАнна Каренина;Москва\nФёдор Достоевский;Санкт-Петербург\n'],
  ['ibm866', 'имя;город\nАнна Каренина;Москва\nФёдор Достоевский;Санкт-Петербург\n'],
  ['windows-1253', 'όνομα;πόλη\nΝίκος Καζαντζάκης;Ηράκλειο\nΚωνσταντίνος Καβάφης;Αλεξάνδρεια\n'],
  ['macintosh', 'name;city\nJosé Peña;Málaga\nRenée Müller;Köln\nAndré Garçon;Besançon\nJürgen Größe;Nürnberg\n'],
  ['shift_jis', '名前;都市\n夏目漱石は日本の小説家です;東京\n川端康成の「雪国」を読みました;大阪\n'],
  ['euc-jp', '名前;都市\n夏目漱石は日本の小説家です;東京\n川端康成の「雪国」を読みました;大阪\n'],
  ['gb18030', '姓名;城市\n鲁迅是中国现代文学的奠基人;北京\n老舍写了骆驼祥子这本小说;上海\n'],
  ['big5', '姓名;城市\n魯迅是中國現代文學的奠基人;臺北\n老舍寫了駱駝祥子這本小說;高雄\n'],
  ['euc-kr', '이름;도시\n김소월은 한국의 시인이다;서울\n윤동주는 하늘과 바람과 별과 시를 썼다;부산\n'],
]

describe('the encoding of a file', () => {
  test.each(TEXTS)('is detected as %s from the decoded words', (encoding, text) => {
    // Western European text is often valid Central European text too: è decodes to č.
    const confidence = encoding === 'windows-1252' ? 'guess' : 'likely'
    expect(find(encode(text, encoding))).toEqual({ encoding, confidence })
  })

  test.each(TEXTS)('is never detected as %s if the file is valid UTF-8', (_, text) => {
    expect(find(new TextEncoder().encode(text), { isUtf8: true })).toEqual({ encoding: 'utf-8', confidence: 'certain' })
  })

  test('is determined by a byte order mark', () => {
    expect(find(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), { isUtf8: true })).toMatchObject({ encoding: 'utf-8' })
    expect(find(Uint8Array.of(0xff, 0xfe, 0x61, 0), { hasZero: true })).toEqual({
      encoding: 'utf-16le',
      confidence: 'certain',
    })
    expect(find(Uint8Array.of(0xfe, 0xff, 0, 0x61), { hasZero: true })).toEqual({
      encoding: 'utf-16be',
      confidence: 'certain',
    })
  })

  test('is UTF-16 if zero bytes match its pattern; other zero bytes are rejected', () => {
    const bytes = Uint8Array.from([...'name;size\nÄnne;1\n'].flatMap((sign) => [sign.charCodeAt(0), 0]))
    expect(find(bytes, { hasZero: true })).toEqual({ encoding: 'utf-16le', confidence: 'likely' })
    expect(find(Uint8Array.from([0, ...bytes]), { hasZero: true })).toMatchObject({ encoding: 'utf-16be' })
    expect(find(Uint8Array.of(1, 2, 0, 3, 4, 5, 0, 0, 9, 8, 7), { hasZero: true })).toBeUndefined()
  })

  test('is reported as a guess if there are few non-ASCII letters', () => {
    expect(find(encode('name\nJosé\n', 'windows-1252'))).toEqual({ encoding: 'windows-1252', confidence: 'guess' })
  })

  test('is ISO-2022-JP if its escape sequences occur', () => {
    const bytes = Uint8Array.of(0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42)
    expect(find(bytes, { isUtf8: true })).toMatchObject({ encoding: 'iso-2022-jp' })
  })
})
