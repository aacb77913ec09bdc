import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesETag, readRange } from './send-file.ts'

describe('a range', () => {
  test('can be closed, open-ended or a suffix', () => {
    expect(readRange('bytes=0-0', 100)).toEqual({ type: 'part', start: 0, end: 0 })
    expect(readRange('bytes=10-19', 100)).toEqual({ type: 'part', start: 10, end: 19 })
    expect(readRange('bytes=10-', 100)).toEqual({ type: 'part', start: 10, end: 99 })
    expect(readRange('bytes=-10', 100)).toEqual({ type: 'part', start: 90, end: 99 })
    expect(readRange('bytes=-1000', 100)).toEqual({ type: 'part', start: 0, end: 99 })
    expect(readRange('bytes=90-1000', 100)).toEqual({ type: 'part', start: 90, end: 99 })
  })

  test('that starts after the end of the file is not satisfiable', () => {
    for (const header of ['bytes=100-', 'bytes=100-200', 'bytes=-0']) {
      expect(readRange(header, 100)).toEqual({ type: 'unsatisfiable' })
    }
    expect(readRange('bytes=0-', 0)).toEqual({ type: 'unsatisfiable' })
  })

  test('is the whole file for an invalid header or multiple ranges', () => {
    for (const header of [undefined, '', 'lines=1-2', 'bytes=-', 'bytes=5-4', 'bytes=0-1,3-4', 'bytes=a-b']) {
      expect(readRange(header, 100)).toEqual({ type: 'all' })
    }
  })

  test('never extends beyond the file', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), fc.nat(300), (from, to, bytes) => {
        const range = readRange(`bytes=${from}-${to}`, bytes)
        if (range.type !== 'part') return
        expect(range.start).toBeLessThanOrEqual(range.end)
        expect(range.end).toBeLessThan(bytes)
      }),
    )
  })
})

test('an ETag matches `*` or a list that contains it, in weak or strong form', () => {
  expect(matchesETag('"a", W/"b"', '"b"')).toBe(true)
  expect(matchesETag('*', '"b"')).toBe(true)
  expect(matchesETag('"a"', '"b"')).toBe(false)
  expect(matchesETag(undefined, '"b"')).toBe(false)
})
