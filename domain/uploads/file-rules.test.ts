import { describe, expect, test } from 'vitest'
import { judgeArrivedFile, judgeBeginning, judgeDeclaredFile } from './file-rules.ts'
import type { Evidence } from './file-types.ts'
import { DEFAULT_MAX_BYTES } from './upload.ts'

const png: Evidence = { sniffed: { type: 'image/png', ending: 'png' }, isText: false, beginning: '' }
const jpeg: Evidence = { sniffed: { type: 'image/jpeg', ending: 'jpg' }, isText: false, beginning: '' }
const noise: Evidence = { sniffed: null, isText: false, beginning: '' }
const text = (beginning: string): Evidence => ({ sniffed: null, isText: true, beginning })

const aFile = (name: string, type = '', bytes = 1000) => ({ name, type, bytes })
const pictures = { accept: ['image/*'] }

describe('before its bytes are known, a file', () => {
  test('is refused when it says it is larger than the field takes', () => {
    const refused = judgeDeclaredFile({ maxBytes: 999 }, aFile('a.png'))
    expect(refused.ok ? '' : refused.fault.message).toContain('takes up to 0.000999 MB')
    expect(judgeDeclaredFile({ maxBytes: 1000 }, aFile('a.png')).ok).toBe(true)
    expect(judgeDeclaredFile({}, aFile('a', '', DEFAULT_MAX_BYTES + 1)).ok).toBe(false)
  })

  test('is refused when it says it is of a type the field does not take', () => {
    expect(judgeDeclaredFile(pictures, aFile('a.pdf', 'application/pdf')).ok).toBe(false)
    expect(judgeDeclaredFile(pictures, aFile('a.csv', 'image/png')).ok).toBe(false)
  })

  test('is let through when it says nothing: its bytes will', () => {
    expect(judgeDeclaredFile(pictures, aFile('a')).ok).toBe(true)
    expect(judgeDeclaredFile(pictures, aFile('a', 'application/octet-stream')).ok).toBe(true)
  })

  test('is taken for what its ending says where a system declares CSV as a spreadsheet', () => {
    expect(judgeDeclaredFile({ accept: ['text/csv'] }, aFile('a.csv', 'application/vnd.ms-excel')).ok).toBe(true)
    expect(judgeDeclaredFile({ accept: ['.csv'] }, aFile('A.CSV', 'application/vnd.ms-excel')).ok).toBe(true)
  })
})

describe('when its bytes are there, a file', () => {
  test('is what its bytes are, whatever its name and its sender say', () => {
    expect(judgeArrivedFile({}, aFile('a.txt', 'text/plain'), png)).toEqual({ ok: true, value: 'image/png' })
    expect(judgeArrivedFile({ accept: ['.png'] }, aFile('a.png', 'image/png'), jpeg).ok).toBe(false)
    expect(judgeArrivedFile({ accept: ['application/pdf'] }, aFile('a.pdf', 'application/pdf'), png).ok).toBe(false)
    expect(judgeArrivedFile({ accept: ['.jpeg', 'image/jpg'] }, aFile('a.dat'), jpeg).ok).toBe(true)
  })

  test('that is no text and has no mark is of unknown type', () => {
    expect(judgeArrivedFile({}, aFile('a.png', 'image/png'), noise)).toEqual({
      ok: true,
      value: 'application/octet-stream',
    })
    expect(judgeArrivedFile(pictures, aFile('a.png', 'image/png'), noise).ok).toBe(false)
    expect(judgeArrivedFile({ accept: ['*/*'] }, aFile('a'), noise).ok).toBe(true)
  })

  test('that is text is named by its ending and never more than text', () => {
    expect(judgeArrivedFile({}, aFile('a.csv', 'application/vnd.ms-excel'), text('a;b'))).toEqual({
      ok: true,
      value: 'text/csv',
    })
    expect(judgeArrivedFile({}, aFile('a.exe', 'image/png'), text('hello'))).toEqual({ ok: true, value: 'text/plain' })
    expect(judgeArrivedFile(pictures, aFile('a.png', 'image/png'), text('<script>')).ok).toBe(false)
    expect(judgeArrivedFile(pictures, aFile('a.svg', 'image/svg+xml'), text('not a drawing')).ok).toBe(false)
  })

  test('that is a drawing is recognised with and without its prologue', () => {
    const xml = { sniffed: { type: 'application/xml', ending: 'xml' }, isText: true }
    const drawing = '<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n<svg xmlns="x"/>'
    expect(judgeArrivedFile(pictures, aFile('a.svg'), { ...xml, beginning: drawing })).toEqual({
      ok: true,
      value: 'image/svg+xml',
    })
    expect(judgeArrivedFile(pictures, aFile('a'), text('<svg width="1">')).ok).toBe(true)
    expect(judgeArrivedFile(pictures, aFile('a.svg'), { ...xml, beginning: '<?xml?><feed><svg/>' }).ok).toBe(false)
  })

  test('in an old wrapping is what was declared, if that comes in such a wrapping', () => {
    const cfb: Evidence = { sniffed: { type: 'application/x-cfb', ending: 'cfb' }, isText: false, beginning: '' }
    expect(judgeArrivedFile({ accept: ['application/msword'] }, aFile('a.doc', 'application/msword'), cfb).ok).toBe(
      true,
    )
    expect(judgeArrivedFile(pictures, aFile('a.png', 'image/png'), cfb).ok).toBe(false)
  })
})

describe('while its bytes are on their way, a file', () => {
  const unknown = (mark: string): Evidence => ({ ...noise, mark })
  const zip: Evidence = {
    sniffed: { type: 'application/zip', ending: 'zip' },
    isText: false,
    beginning: '',
    mark: '504b0304',
  }

  test('is refused as soon as its beginning can be nothing the field takes', () => {
    expect(judgeBeginning(pictures, aFile('a.png', 'image/png'), unknown('00112233')).ok).toBe(false)
    expect(judgeBeginning(pictures, aFile('a.png'), text('hello')).ok).toBe(false)
    expect(judgeBeginning({ accept: ['application/pdf'] }, aFile('a.pdf'), png).ok).toBe(false)
    expect(judgeBeginning(pictures, aFile('a.png'), zip).ok).toBe(false)
  })

  test('is let on when it fits, or when the field takes anything', () => {
    expect(judgeBeginning(pictures, aFile('a'), png)).toEqual({ ok: true, value: 'image/png' })
    expect(judgeBeginning({}, aFile('a'), unknown('00')).ok).toBe(true)
  })

  test('is let on when what tells it apart comes later', () => {
    const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    expect(judgeBeginning({ accept: [word] }, aFile('a.docx'), zip).ok).toBe(true)
    expect(judgeBeginning({ accept: ['.docx'] }, aFile('a.docx'), unknown('504b0304')).ok).toBe(true)
    expect(judgeBeginning({ accept: ['audio/*'] }, aFile('a.mp3'), unknown('49443304')).ok).toBe(true)
    expect(judgeBeginning({ accept: ['audio/mpeg'] }, aFile('a.mp3'), unknown('49443304')).ok).toBe(true)
    expect(judgeBeginning({ accept: ['image/apng'] }, aFile('a.png'), png).ok).toBe(true)
  })

  test('is refused when it is larger than the field takes, whatever it may be', () => {
    expect(judgeBeginning({ maxBytes: 999, accept: ['.docx'] }, aFile('a.docx'), zip).ok).toBe(false)
  })
})
