import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '#tests/support/documents/any-character.ts'
import {
  type Chunk,
  type Upload,
  cleanFileName,
  cleanType,
  decideChunk,
  expiryFrom,
  isExpired,
  renewedExpiry,
} from './upload.ts'

test('keeps a file name in any script', () => {
  for (const name of ['Plan 3.PNG', 'Überblick – été.pdf', '計画書.docx', '.env', 'a#b%c?.txt']) {
    expect(cleanFileName(name)).toBe(name.normalize('NFC'))
  }
})

test('removes folders, control characters and bidirectional marks from a file name', () => {
  expect(cleanFileName('C:\\Users\\me\\plan.png')).toBe('plan.png')
  expect(cleanFileName('../../etc/passwd')).toBe('passwd')
  expect(cleanFileName('a\r\nb\u0000.txt')).toBe('ab.txt')
  expect(cleanFileName('invoice\u202Efdp.exe')).toBe('invoicefdp.exe')
  expect(cleanFileName(' / ')).toBe('file')
})

test('truncates a long file name before its extension', () => {
  const name = cleanFileName(`${'ä'.repeat(400)}.jpeg`)
  expect([...name].length).toBe(255)
  expect(name.endsWith('.jpeg')).toBe(true)
})

test('a cleaned file name is never empty, too long, or a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (said) => {
      const name = cleanFileName(said)
      expect([...name].length).toBeGreaterThan(0)
      expect([...name].length).toBeLessThanOrEqual(255)
      expect(name).not.toMatch(/[/\\\p{Cc}]/u)
    }),
  )
})

test('ignores the case and parameters of a media type', () => {
  expect(cleanType('Text/HTML; charset=utf-8')).toBe('text/html')
  expect(cleanType('nonsense')).toBe('')
})

const touchedAt = new Date('2026-03-01T10:00:00.000Z')
const upload = { expiresAt: expiryFrom(touchedAt) }

test('an upload expires exactly one day after its last received bytes', () => {
  expect(upload.expiresAt).toBe('2026-03-02T10:00:00.000Z')
  expect(isExpired(upload, new Date('2026-03-02T09:59:59.999Z'))).toBe(false)
  expect(isExpired(upload, new Date('2026-03-02T10:00:00.000Z'))).toBe(true)
})

test('an upload expires a week after its creation, even if it is still receiving bytes', () => {
  const slow = { createdAt: touchedAt.toISOString() }
  expect(renewedExpiry(slow, new Date('2026-03-03T10:00:00.000Z'))).toBe('2026-03-04T10:00:00.000Z')
  expect(renewedExpiry(slow, new Date('2026-03-08T09:00:00.000Z'))).toBe('2026-03-08T10:00:00.000Z')
})

const NOW = new Date('2026-03-01T10:00:00.000Z')

const anUpload = (part: { committed: number; bytes: number; state?: Upload['state']; expiresAt?: string }): Upload => ({
  id: 'u',
  userId: 'me',
  target: { collection: 'c', field: 'f', record: null },
  file: { name: 'a.bin', type: '', bytes: part.bytes },
  committed: part.committed,
  sniffedType: null,
  createdAt: NOW.toISOString(),
  state: part.state ?? 'open',
  expiresAt: part.expiresAt ?? '2026-03-02T10:00:00.000Z',
})

const half = anUpload({ committed: 50, bytes: 100 })
const checker = (upload: Upload, offset: number, bytes: number | undefined, rule: Chunk['rule'] = 'repeatable') =>
  decideChunk(upload, { offset, bytes, rule }, NOW)

describe('a chunk', () => {
  test('that starts at the end of the stored bytes is accepted', () => {
    expect(checker(half, 50, 50)).toEqual({ type: 'accept', skip: 0 })
    expect(checker(half, 50, undefined, 'exact')).toEqual({ type: 'accept', skip: 0 })
  })

  test('that leaves a gap is rejected with the expected offset', () => {
    expect(checker(half, 51, 10)).toEqual({ type: 'wrong-offset', committed: 50 })
  })

  test('that is already stored is accepted, or rejected if an exact offset is required', () => {
    expect(checker(half, 0, 50)).toEqual({ type: 'already-stored' })
    expect(checker(half, 0, 50, 'exact')).toEqual({ type: 'wrong-offset', committed: 50 })
  })

  test('that is partly stored adds only the missing bytes', () => {
    expect(checker(half, 40, 30)).toEqual({ type: 'accept', skip: 10 })
    expect(checker(half, 40, undefined)).toEqual({ type: 'accept', skip: 10 })
  })

  test('beyond the declared size is rejected', () => {
    expect(checker(half, 50, 51)).toEqual({ type: 'too-large' })
  })

  test('of zero bytes at the end is accepted, because FilePond sends one', () => {
    expect(checker(anUpload({ committed: 100, bytes: 100, state: 'ready' }), 100, 0)).toEqual({
      type: 'accept',
      skip: 0,
    })
  })

  test('for an expired or failed upload is rejected', () => {
    expect(checker(anUpload({ committed: 0, bytes: 1, expiresAt: NOW.toISOString() }), 0, 1)).toEqual({ type: 'gone' })
    expect(checker(anUpload({ committed: 1, bytes: 1, state: 'failed' }), 1, 0)).toEqual({ type: 'gone' })
  })
})

const aCase = fc
  .record({ bytes: fc.nat(1000), committed: fc.nat(1000), offset: fc.nat(1200), length: fc.nat(1200) })
  .map((one) => ({ ...one, committed: Math.min(one.committed, one.bytes) }))

describe('any chunk', () => {
  test('leaves no gap and never exceeds the size if accepted', () => {
    fc.assert(
      fc.property(aCase, fc.constantFrom('exact', 'repeatable'), ({ bytes, committed, offset, length }, rule) => {
        const outcome = checker(anUpload({ committed, bytes }), offset, length, rule)
        if (outcome.type !== 'accept') return
        expect(offset + outcome.skip).toBe(committed)
        expect(committed + Math.max(0, length - outcome.skip)).toBeLessThanOrEqual(bytes)
      }),
    )
  })

  test('counts as stored only if all of its bytes are committed', () => {
    fc.assert(
      fc.property(aCase, ({ bytes, committed, offset, length }) => {
        const outcome = checker(anUpload({ committed, bytes }), offset, length)
        if (outcome.type === 'already-stored') expect(offset + length).toBeLessThanOrEqual(committed)
      }),
    )
  })

  test('can be sent twice and split in any way, and the file is still complete', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }), (lengths) => {
        const bytes = lengths.reduce((sum, length) => sum + length, 0)
        let committed = 0
        let offset = 0
        for (const length of lengths) {
          for (const _ of [1, 2]) {
            const outcome = checker(anUpload({ committed, bytes }), offset, length)
            expect(outcome.type).toMatch(/accept|already-stored/)
            if (outcome.type === 'accept') committed += length - outcome.skip
          }
          offset += length
        }
        expect(committed).toBe(bytes)
      }),
    )
  })
})
