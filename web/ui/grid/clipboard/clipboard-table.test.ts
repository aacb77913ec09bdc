import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readClipboard, readHtmlTable, readTabbedText, writeClipboard } from './clipboard-table.ts'

function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
}

const LIST = [
  ['Title', 'Shelf', 'Price', 'Bought', 'Note'],
  ['The "Odyssey"', '007', '1,234.50', '09/03/2024', 'first line\nsecond line'],
  ['Müller & Söhne <Verlag> in a second edition', '-7', '0.50', '', 'two  spaces'],
  ['Total', '', '1,235.00', '', ''],
]

const PROGRAMS = ['excel', 'excel-online', 'google-sheets', 'google-sheets-windows', 'libreoffice', 'libreoffice-25']

test.each(PROGRAMS)('cells copied from %s keep their values', (program) => {
  const [text, html] = [fixture(`${program}.txt`), fixture(`${program}.html`)]
  expect(readClipboard({ text, html })).toEqual(LIST)
})

test.each(PROGRAMS.filter((program) => !program.startsWith('libreoffice')))(
  'the plain text of %s alone gives the same',
  (program) => {
    expect(readClipboard({ text: fixture(`${program}.txt`), html: '' })).toEqual(LIST)
  },
)

test('plain text from LibreOffice contains everything except line breaks within cells', () => {
  const flat = LIST.map((row) => row.map((cell) => cell.replace('\n', ' ')))
  expect(readClipboard({ text: fixture('libreoffice.txt'), html: '' })).toEqual(flat)
})

test('spaces collapsed in the HTML are read from the text, and line breaks missing from the text are read from the HTML', () => {
  const html = '<table><tr><td>two  spaces</td><td>a<br>b</td><td>x</td></tr></table>'
  expect(readClipboard({ text: 'two  spaces\ta b\ty', html })).toEqual([['two  spaces', 'a\nb', 'x']])
  expect(readClipboard({ text: 'two  spaces\na b', html })).toEqual([['two spaces', 'a\nb', 'x']])
})

test('a number too wide for its spreadsheet column is read from the plain text', () => {
  const html = '<table><tr><td>#######</td><td>#1</td></tr></table>'
  expect(readClipboard({ text: '1234567\t#1', html })).toEqual([['1234567', '#1']])
  expect(readClipboard({ text: '', html })).toEqual([['#######', '#1']])
})

test('plain text is parsed as a table with one cell', () => {
  expect(readTabbedText('Ada Lovelace')).toEqual([['Ada Lovelace']])
  expect(readTabbedText('said "no" twice')).toEqual([['said "no" twice']])
  expect(readTabbedText('"quoted"')).toEqual([['"quoted"']])
  expect(readTabbedText('"begun and not ended\nnext')).toEqual([['"begun and not ended'], ['next']])
})

test('a trailing line break is not parsed as a row, but an empty last row is', () => {
  expect(readTabbedText('a\nb\n')).toEqual([['a'], ['b']])
  expect(readTabbedText('a\r\n\r\n')).toEqual([['a'], ['']])
  expect(readTabbedText('\n')).toEqual([['']])
  expect(readTabbedText('a\tb\nc')).toEqual([
    ['a', 'b'],
    ['c', ''],
  ])
})

test('doubled quotes within quoted cells are parsed for every program', () => {
  expect(readTabbedText('"She said ""no""\nand left"\t2')).toEqual([['She said "no"\nand left', '2']])
})

test('an empty clipboard is not treated as a table', () => {
  expect(readClipboard({ text: '', html: '' })).toBeUndefined()
})

test('a page with text around its table, or with two tables, is parsed as text', () => {
  expect(readHtmlTable('<p>See</p><table><tr><td>1</td></tr></table>')).toBeUndefined()
  expect(readHtmlTable('<table><tr><td>1</table><table><tr><td>2</table>')).toBeUndefined()
  expect(readHtmlTable('<b>bold</b>')).toBeUndefined()
  expect(readClipboard({ text: 'See 1', html: '<p>See <table><tr><td>1</table>' })).toEqual([['See 1']])
})

test('merged cells leave the positions they cover empty', () => {
  const html = '<table><tr><td rowspan=2>a</td><td colspan="2">b</td></tr><tr><td>c<td>d</tr><tr><td>e</table>'
  expect(readHtmlTable(html)).toEqual([
    ['a', 'b', ''],
    ['', 'c', 'd'],
    ['e', '', ''],
  ])
})

test('hidden content in a cell is ignored', () => {
  const cell = (html: string) => readHtmlTable(`<table><tr><td>${html}</td></tr></table>`)?.[0]?.[0]
  expect(cell('<style>td { color: red }</style><p>one</p>\n<p>two</p>')).toBe('one\ntwo')
  expect(cell('<script>alert("x")</script>kept')).toBe('kept')
  expect(cell('<a href="?a=1&b=2" title="a > b">link</a>')).toBe('link')
  expect(cell('&eacute;t&eacute; &#8211; &#x1F4D6; &unknown;')).toBe('été – 📖 &unknown;')
  expect(cell('<table><tr><td>in</td><td>side</td></tr></table>')).toBe('in side')
  expect(cell('a < b')).toBe('a < b')
  expect(cell('&nbsp;')).toBe('')
})

test('a cell spans at most a thousand columns', () => {
  expect(readHtmlTable('<table><tr><td colspan=99999999>a</table>')?.[0]).toHaveLength(1000)
})

test('a single cell is copied as plain text, which can be pasted into any field', () => {
  expect(writeClipboard([['She said "no"\nand left']]).text).toBe('She said "no"\nand left')
})

test('values that a spreadsheet would calculate or round are copied as text', () => {
  const { html } = writeClipboard([['=1+1', '@x', '-SUM(A1)', '007', '1234567890123456', '-7', '+49 30 1', '0.5', '=']])
  const cells = [...html.matchAll(/<td([^>]*)>/g)].map(([, style]) => style !== '')
  expect(cells).toEqual([true, true, true, true, true, false, false, false, true])
})

const cellText = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '"', ' ', '\t', '\n', '<', '&', '=', 'ü', '0') }),
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\u00A0\uFDD0\uFDD1\f\0]/g, '')),
)
const table = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .filter(([rows, columns]) => rows * columns > 1)
  .chain(([rows, columns]) =>
    fc.array(fc.array(cellText, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
  )

test('copied plain text is unchanged when pasted', () => {
  fc.assert(
    fc.property(table, (cells) => {
      const { text } = writeClipboard(cells)
      // With one column, an empty last row can't be distinguished from a trailing line break.
      fc.pre(!(cells[0]?.length === 1 && cells.at(-1)?.[0] === ''))
      expect(readTabbedText(text)).toEqual(cells)
    }),
  )
})

test('a copied table is unchanged when pasted, except for trailing spaces and single line breaks', () => {
  const seen = (text: string) =>
    text.replaceAll('\t', ' ').replaceAll(/ +/g, ' ').replaceAll(/^ | $/gm, '').replace(/^\n$/, '')
  fc.assert(
    fc.property(table, (cells) => {
      const back = readHtmlTable(writeClipboard(cells).html)
      expect(back?.map((row) => row.map(seen))).toEqual(cells.map((row) => row.map(seen)))
    }),
  )
})

test('intentional spaces in a copied cell are preserved', () => {
  const cells = [['two  spaces', ' before and after ', 'x']]
  expect(readHtmlTable(writeClipboard(cells).html)).toEqual(cells)
})
