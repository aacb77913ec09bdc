import { gzipSync } from 'node:zlib'
import { CASES } from '#tests/attack/hostile/fixtures.ts'

const CHUNK_BYTES = 1_000_000

export type Bomb = {
  readonly what: string
  readonly path: string
  readonly method?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Payloads generated while sending; endless ones stop after this many bytes. */
  readonly body?: (largest: number) => Iterable<string | Buffer>
  readonly isAllowed?: true
}

/** Repeats a text up to this many bytes, between a start and an end. */
function* filled(begin: string, again: string, bytes: number, end = ''): Generator<string | Buffer> {
  yield begin
  const chunk = Buffer.from(again.repeat(Math.ceil(CHUNK_BYTES / again.length)))
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk
  yield end
}

/** A text made of `count` parts. */
const listed = (begin: string, count: number, part: (nth: number) => string, end: string): readonly string[] => [
  begin,
  Array.from({ length: count }, (_, nth) => part(nth)).join(''),
  end,
]

/** A text made of `count` parts, separated by commas. */
const commaSeparated = (begin: string, count: number, part: (nth: number) => string, end: string): readonly string[] =>
  listed(begin, count, (nth) => (nth === 0 ? part(nth) : `,${part(nth)}`), end)

/** `count` JSON properties, in an order that is different for each of ten thousand values of `order`. */
const inOrder = (count: number, order: number): string =>
  Array.from({ length: count }, (_, nth) => nth)
    .sort((one, other) => placeIn(order, one) - placeIn(order, other))
    .map((nth) => `"f${nth}":1`)
    .join(',')

/** A pseudo-random sort position that depends on `order`. */
function placeIn(order: number, nth: number): number {
  const begun = Math.imul(order + 1, 0x9e_37_79_b1) ^ Math.imul(nth + 1, 0x85_eb_ca_6b)
  const mixed = Math.imul(begun ^ (begun >>> 15), 0x2c_1b_3c_6d)
  return mixed ^ (mixed >>> 12)
}

const MB = 1_000_000
const CSV = 'text/csv'
const RECORDS = `${CASES}/records`
const IMPORT = '/api/imports?name=bomb.csv'
const UPLOAD = '/api/uploads?collection=cases&field=files'
const FORM = 'multipart/form-data; boundary=b'
const part = (nth: number): string => `--b\r\nContent-Disposition: form-data; name="p${nth}"\r\n\r\nx\r\n`

export const BOMBS: readonly Bomb[] = [
  {
    what: 'a table of a million columns',
    path: IMPORT,
    type: CSV,
    body: () => listed('', 1_000_000, (nth) => `c${nth},`, '\n'),
  },
  { what: 'an endless line', path: IMPORT, type: CSV, body: (largest) => filled('a,b\n', 'x', largest) },
  { what: 'an unterminated quote', path: IMPORT, type: CSV, body: (largest) => filled('a,b\n"', 'x\n', largest) },
  {
    what: 'an endless line into a collection',
    path: `${CASES}/imports`,
    type: CSV,
    body: (largest) => filled('title\n', 'x', largest),
  },
  { what: '64 MB of JSON', path: RECORDS, body: () => filled('{"values":{"title":"', 'x', 64 * MB, '"}}') },
  {
    what: '12 MB of white space',
    path: RECORDS,
    body: () => filled('', ' ', 11 * MB, '{"values":{"x":1}}'),
  },
  { what: 'JSON nested a million deep', path: RECORDS, body: () => filled('{"values":{"json":', '[', MB) },
  {
    what: 'JSON nested a million deep, closed',
    path: RECORDS,
    body: () => ['{"values":{"json":', '['.repeat(MB), ']'.repeat(MB), '}}'],
  },
  { what: 'a number of a million digits', path: RECORDS, body: () => ['{"values":{"number":', '9'.repeat(MB), '}}'] },
  {
    what: 'a record of 50,000 fields',
    path: RECORDS,
    body: () => listed('{"values":{"x":1', 50_000, (nth) => `,"f${nth}":1`, '}}'),
  },
  {
    what: 'a million repetitions of a name',
    path: RECORDS,
    body: () => filled('{"values":{"x":1', ',"x":1', 8 * MB, '}}'),
  },
  {
    what: '11 MB of empty lists',
    path: RECORDS,
    body: () => filled('{"values":{"x":[[]', ',[]', 11 * MB, ']}}'),
  },
  {
    what: '390,000 different words',
    path: RECORDS,
    body: () => commaSeparated('{"values":{"x":[', 390_000, (nth) => `"a word ${nth}"`, ']}}'),
  },
  {
    what: '10,000 records with names in different orders',
    path: `${CASES}/records/bulk`,
    body: () => commaSeparated('{"create":[', 10_000, (nth) => `{"values":{${inOrder(35, nth)}}}`, ']}'),
  },
  {
    what: '11 MB of quotation marks and a number that would be rounded',
    path: RECORDS,
    body: () => filled('{"values":{"number":12345678901234567,"title":"', '\\"', 11 * MB, '"}}'),
  },
  {
    what: 'a sign-in of 300,000 names',
    path: '/api/auth/login',
    body: () => listed('{"x":1', 300_000, (nth) => `,"f${nth}":1`, '}'),
  },
  {
    what: '10 MB of JSON in 10 kB',
    path: RECORDS,
    headers: { 'content-encoding': 'gzip' },
    body: () => [gzipSync(`{"values":{"title":"${'x'.repeat(10 * MB)}"}}`)],
  },
  {
    what: 'a filter of 1 MB',
    path: `${CASES}/views`,
    body: () => [JSON.stringify({ name: 'x', query: { filter: 'title = "x" && '.repeat(70_000) } })],
  },
  {
    what: 'a filter in 20,000 parentheses',
    path: `${CASES}/views`,
    body: () => [JSON.stringify({ name: 'x', query: { filter: '('.repeat(20_000) } })],
  },
  {
    what: 'a filter of 100,000 conditions',
    path: `${CASES}/records/bulk`,
    body: () =>
      commaSeparated(
        '{"delete":true,"where":{"filter":{"all":[',
        100_000,
        () => '{"field":"title","op":"=","value":"x"}',
        ']}}}',
      ),
  },
  { what: 'a filter of 1 MB in an address', method: 'GET', path: `${RECORDS}?filter=${'x'.repeat(MB)}` },
  { what: 'a sort order of 2,000 characters', method: 'GET', path: `${RECORDS}?sort=${'title,'.repeat(333)}` },
  {
    what: '10,000 new records',
    path: `${CASES}/records/bulk`,
    body: () => commaSeparated('{"create":[', 10_000, (nth) => `{"values":{"title":"x${nth}"}}`, ']}'),
    isAllowed: true,
  },
  {
    what: '100,000 new records',
    path: `${CASES}/records/bulk`,
    body: () => commaSeparated('{"create":[', 100_000, () => '{"values":{"title":"x"}}', ']}'),
  },
  {
    what: '100,000 ids',
    path: `${CASES}/records/bulk`,
    body: () => commaSeparated('{"delete":[', 100_000, () => '"01jd9q4z7m3k8w2x5v6c0b1n4r"', ']}'),
  },
  {
    what: 'a field of 100,000 choices',
    path: `${CASES}/fields`,
    body: () =>
      commaSeparated(
        '{"label":"x","kind":"select","options":{"choices":[',
        100_000,
        (nth) => `{"name":"c${nth}"}`,
        ']}}',
      ),
  },
  {
    what: 'a collection of 50,000 fields',
    path: '/api/collections',
    body: () => commaSeparated('{"label":"x","fields":[', 50_000, (nth) => `{"label":"f${nth}","kind":"text"}`, ']}'),
  },
  { what: 'a form of 100,000 parts', path: UPLOAD, type: FORM, body: () => listed('', 100_000, part, '--b--\r\n') },
  {
    what: 'a part with headers of 10 MB',
    path: UPLOAD,
    type: FORM,
    body: () => filled('--b\r\nContent-Disposition: form-data; name="', 'x', 10 * MB),
  },
  {
    what: 'an endless part that is not a file',
    path: UPLOAD,
    type: FORM,
    body: (largest) => filled('--b\r\nContent-Disposition: form-data; name="p"\r\n\r\n', 'x', largest),
  },
  {
    what: 'an upload of an exabyte',
    path: '/api/tus?collection=cases&field=files',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '1000000000000000000' },
  },
]
