import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanFileName, cleanType } from './upload.ts'

test('a file keeps its name, in any script', () => {
  for (const name of ['Plan 3.PNG', 'Überblick – été.pdf', '計画書.docx', '.env', 'a#b%c?.txt']) {
    expect(cleanFileName(name)).toBe(name.normalize('NFC'))
  }
})

test('a name loses folders, control characters and marks that turn it round', () => {
  expect(cleanFileName('C:\\Users\\me\\plan.png')).toBe('plan.png')
  expect(cleanFileName('../../etc/passwd')).toBe('passwd')
  expect(cleanFileName('a\r\nb\u0000.txt')).toBe('ab.txt')
  expect(cleanFileName('invoice\u202Efdp.exe')).toBe('invoicefdp.exe')
  expect(cleanFileName(' / ')).toBe('file')
})

test('a name that is too long is cut before its ending', () => {
  const name = cleanFileName(`${'ä'.repeat(400)}.jpeg`)
  expect([...name].length).toBe(255)
  expect(name.endsWith('.jpeg')).toBe(true)
})

test('whatever is said, a name is never empty, long, or a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (said) => {
      const name = cleanFileName(said)
      expect([...name].length).toBeGreaterThan(0)
      expect([...name].length).toBeLessThanOrEqual(255)
      expect(name).not.toMatch(/[/\\\p{Cc}]/u)
    }),
  )
})

test('a type is compared without its case and parameters', () => {
  expect(cleanType('Text/HTML; charset=utf-8')).toBe('text/html')
  expect(cleanType('nonsense')).toBe('')
})
