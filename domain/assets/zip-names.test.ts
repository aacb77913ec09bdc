import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '#tests/support/documents/any-character.ts'
import { foldText } from '../shared/text.ts'
import { createUniqueNames, safeArchiveName } from './zip-names.ts'

describe('an archive name', () => {
  test.each([
    ['Plan ü 100%.pdf', 'Plan ü 100%.pdf'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\x\\y.txt', 'C__x_y.txt'],
    ['a\u0000b\r\n.txt', 'ab.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['con.txt', '_con.txt'],
    ['LPT1', '_LPT1'],
    ['conference.txt', 'conference.txt'],
    ['ends with dots...', 'ends with dots'],
    ['...', 'file'],
    ['', 'file'],
    ['🙂'.repeat(200) + '.png', '🙂'.repeat(59) + '.png'],
    ['報'.repeat(100) + '.xlsx', '報'.repeat(78) + '.xlsx'],
    ['x'.repeat(99) + '. ' + 'y'.repeat(40), 'x'.repeat(99)],
  ])('%j is %j', (said, name) => {
    expect(safeArchiveName(said, 'file')).toBe(name)
  })

  test('can’t point outside the target folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (said) => {
        const name = safeArchiveName(said, 'file')
        expect(name).not.toMatch(/[\\/\p{Cc}]|^\.|\.$/u)
        expect(name.length).toBeGreaterThan(0)
        expect([...name].length).toBeLessThanOrEqual(101)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(241)
      }),
    )
  })
})

describe('unique names', () => {
  test('are numbered before the extension, ignoring case', () => {
    const once = createUniqueNames()
    expect(['a.pdf', 'A.PDF', 'a.pdf', 'a (2).pdf', 'notes', 'notes', '.env', '.env'].map(once)).toEqual([
      'a.pdf',
      'A (2).PDF',
      'a (3).pdf',
      'a (2) (2).pdf',
      'notes',
      'notes (2)',
      '.env',
      '.env (2)',
    ])
  })

  test('are distinct even on a file system that ignores case', () => {
    const name = fc.constantFrom('a', 'A', 'ä', 'a (2)', 'a (3)', 'a.b', 'a (2).b')
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const given = names.map(createUniqueNames())
        expect(new Set(given.map(foldText)).size).toBe(names.length)
      }),
    )
  })
})
