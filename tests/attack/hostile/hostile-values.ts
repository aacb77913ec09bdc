import type { Random } from '#tests/access-oracle/generate/random.ts'
import { TEXTS } from './payloads/corpora.ts'

const nested = (open: string, depth: number, close: string): string =>
  `${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** JSON text that no real client sends. */
const STRANGE_JSON: readonly string[] = [
  ...words(String.raw`
    1e400 -1e400 -0 -1 0 0.1e-400 9007199254740993 123456789012345678 1e308 2147483648 true false null [] {} "" [null]
    [[]] [{}] {"":""} "0" "null" "[]" "\ud800" "\u0000" "\udc00\ud800" "\u202e" "\\u0000" "\u005c\u0030" "2026-02-30"
    "9999-99-99T99:99:99Z" "+275760-09-13T00:00:00.000Z" "-000001-01-01" "0000-00-00" {"a":1,"a":2} {"id":1,"id":"x"}
    {"length":1e9} {"toString":1} {"toJSON":null} {"then":1} {"__proto__":{"isOwner":true}} {"all":[]} {"any":[{}]}
    {"constructor":{"prototype":{"isOwner":true}}}`),
  nested('[', 10_000, ']'),
  nested('{"a":', 10_000, '}'),
  nested('{"all":[', 2_000, ']}'),
  nested('{"type":"doc","content":[', 2_000, ']}'),
  `"${'x'.repeat(200_000)}"`,
  `"${'\\n'.repeat(50_000)}"`,
  `[${'0,'.repeat(50_000)}0]`,
  `{${Array.from({ length: 5_000 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
]

/** Bodies that are not JSON. */
const NO_JSON: readonly (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '}',
  '"',
  'NaN',
  'undefined',
  '{}{}',
  "{'a':1}",
  '{"a":1,}',
  '\ufeff{}',
  '[1',
  '{"a":1}\0',
  '\0',
  '['.repeat(200_000),
  '{"a":'.repeat(100_000),
  Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  Buffer.from('{"a":1}', 'utf16le'),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
]

/** Content types that a body may declare. */
const TYPES: readonly string[] = [
  ...words(
    'application/json;; APPLICATION/JSON text/plain text/csv application/x-www-form-urlencoded ; */* application',
  ),
  ...words('multipart/form-data multipart/form-data;boundary= application/xml application/offset+octet-stream'),
  'application/json; charset=utf-16',
  'application/json; charset=""',
  'application/json, text/html',
]

const HEADERS: { readonly [name: string]: readonly string[] } = {
  'time-zone': ['', 'Nowhere/At All', 'Europe/../Vienna', 'x'.repeat(4000), 'Etc/GMT+99'],
  'if-match': ['*', '"', 'W/"1"', '1, 2', '-1', '"1e400"'],
  'if-none-match': ['*', '"', 'W/"x"', 'x'.repeat(4000)],
  range: ['bytes=9-1', 'bytes=-0', 'bytes=0-1e400', 'bytes=a-b', `bytes=${'0-1,'.repeat(500)}`],
  'accept-encoding': ['gzip;q=2', 'zstd, zstd;q=0', ';', '*', 'br;q=-1', ',,,,', 'x'.repeat(4000)],
  'content-encoding': ['gzip', 'br', 'deflate, gzip', 'x'],
  'upload-length': ['-1', '1e400', '', '0x10', '99999999999999999999', '1.5'],
  'upload-offset': ['-1', '1e400', '', '99999999999999999999'],
  'upload-metadata': ['filename', 'filename !!', ',', 'a b,a b', `${'k dg==,'.repeat(500)}`],
  'tus-resumable': ['2.0.0', '', '1.0.0, 1.0.0'],
  'upload-checksum': ['sha1 x', 'md5 ', 'x'],
  authorization: ['Bearer', 'Bearer x.y.z', 'Basic eDp5', 'Bearer dsr_x', `Bearer ${'x'.repeat(6000)}`],
  cookie: ['dossier_refresh=x', '=;=;', `a=${'x'.repeat(6000)}`, '__proto__=1', 'dossier_language=../..'],
  origin: ['null', 'http://evil.example', 'x'],
  'x-forwarded-for': ['127.0.0.1', '::1, 1.1.1.1', 'x'.repeat(4000), '1.2.3.4:5'],
  'x-forwarded-host': ['evil.example', 'localhost:99999'],
  'accept-language': ['de', '*', ';q=', 'x-klingon', ','.repeat(3000)],
  'x-http-method-override': ['DELETE'],
  expect: ['the impossible'],
  upgrade: ['h2c'],
}

const ADDRESS_PARTS: readonly string[] = [
  ...words('% %zz %00 %2e%2e %2f %c0%af %ff %ed%a0%80 .. . %20 %0d%0a ; * {x} 0 -1 null undefined [object%20Object]'),
  '',
  'x'.repeat(499),
  'x'.repeat(501),
  'x'.repeat(7000),
]

const MARK = '@@strange:'

/** Random values to send in place of valid ones. */
export type Makers = ReturnType<typeof makersFrom>

export function makersFrom(draw: Random) {
  const anything = (): string => (draw.chance(0.5) ? draw.one(TEXTS) : `${MARK}${draw.below(STRANGE_JSON.length)}@@`)
  /** Makes a random change inside a value. */
  const spoil = (value: unknown): unknown => {
    if (draw.chance(0.25) || typeof value !== 'object' || value === null) return draw.chance(0.1) ? [value] : anything()
    if (Array.isArray(value))
      return value.length === 0 ? [anything()] : value.map((part, at) => (at === 0 ? spoil(part) : part))
    const names = Object.keys(value)
    if (names.length === 0 || draw.chance(0.1)) return { ...value, [draw.one(TEXTS)]: anything() }
    const name = draw.one(names)
    const { [name]: part, ...rest } = value as { readonly [name: string]: unknown }
    return draw.chance(0.1) ? rest : { ...rest, [name]: spoil(part) }
  }
  const strange = (value: unknown): string =>
    JSON.stringify(value).replaceAll(/"@@strange:(\d+)@@"/g, (_, at: string) => STRANGE_JSON[Number(at)] ?? 'null')
  return {
    /** A JSON body derived from a valid body. */
    spoiled: (validValue: unknown): string => strange(draw.chance(0.15) ? validValue : spoil(validValue)),
    noJson: (): string | Buffer => draw.one(NO_JSON),
    type: (): string => draw.one(TYPES),
    header: (): readonly [string, string] => {
      const [name, values] = draw.one(Object.entries(HEADERS))
      return [name, draw.one(values)]
    },
    addressPart: (): string =>
      draw.chance(0.4) ? draw.one(ADDRESS_PARTS) : encodeURIComponent(draw.one(TEXTS).toWellFormed()),
    text: (): string => draw.one(TEXTS),
    number: (): string => draw.one(['0', '-1', '1e400', 'NaN', '1.5', '99999999999999999999', '0x10', ' 1', '1,2', '']),
  }
}
