import { describe, expect, test } from 'vitest'
import { checkArrivedFile, checkFirstBytes, checkDeclaredFile } from './file-rules.ts'
import type { Evidence } from './file-types.ts'
import { DEFAULT_MAX_BYTES } from './upload.ts'

const png: Evidence = { sniffed: { type: 'image/png', ending: 'png' }, isText: false, head: '' }
const jpeg: Evidence = { sniffed: { type: 'image/jpeg', ending: 'jpg' }, isText: false, head: '' }
const noise: Evidence = { sniffed: null, isText: false, head: '' }
const text = (head: string): Evidence => ({ sniffed: null, isText: true, head })

const aFile = (name: string, type = '', bytes = 1000) => ({ name, type, bytes })
const pictures = { accept: ['image/*'] }

describe('a declared file', () => {
  test('is rejected if it is too large for the field', () => {
    const refused = checkDeclaredFile({ maxBytes: 999 }, aFile('a.png'))
    expect(refused.ok ? '' : refused.fault.message).toContain(
      '“a.png” is 0.001 MB, but this field allows up to 0.000999 MB. Choose a smaller file, or ask an owner to raise the limit.',
    )
    expect(checkDeclaredFile({ maxBytes: 1000 }, aFile('a.png')).ok).toBe(true)
    expect(checkDeclaredFile({}, aFile('a', '', DEFAULT_MAX_BYTES + 1)).ok).toBe(false)
  })

  test('is rejected if the field doesn’t accept its file type', () => {
    expect(checkDeclaredFile(pictures, aFile('a.pdf', 'application/pdf')).ok).toBe(false)
    expect(checkDeclaredFile(pictures, aFile('a.csv', 'image/png')).ok).toBe(false)
  })

  test('is accepted without a type, because its content is checked later', () => {
    expect(checkDeclaredFile(pictures, aFile('a')).ok).toBe(true)
    expect(checkDeclaredFile(pictures, aFile('a', 'application/octet-stream')).ok).toBe(true)
  })

  test('is identified by its extension if its declared type is that of a spreadsheet', () => {
    expect(checkDeclaredFile({ accept: ['text/csv'] }, aFile('a.csv', 'application/vnd.ms-excel')).ok).toBe(true)
    expect(checkDeclaredFile({ accept: ['.csv'] }, aFile('A.CSV', 'application/vnd.ms-excel')).ok).toBe(true)
  })
})

describe('a received file', () => {
  test('is identified by its content, regardless of its name and declared type', () => {
    expect(checkArrivedFile({}, aFile('a.txt', 'text/plain'), png)).toEqual({ ok: true, value: 'image/png' })
    expect(checkArrivedFile({ accept: ['.png'] }, aFile('a.png', 'image/png'), jpeg).ok).toBe(false)
    expect(checkArrivedFile({ accept: ['application/pdf'] }, aFile('a.pdf', 'application/pdf'), png).ok).toBe(false)
    expect(checkArrivedFile({ accept: ['.jpeg', 'image/jpg'] }, aFile('a.dat'), jpeg).ok).toBe(true)
  })

  test('that isn’t text and has no known signature has an unknown type', () => {
    expect(checkArrivedFile({}, aFile('a.png', 'image/png'), noise)).toEqual({
      ok: true,
      value: 'application/octet-stream',
    })
    expect(checkArrivedFile(pictures, aFile('a.png', 'image/png'), noise).ok).toBe(false)
    expect(checkArrivedFile({ accept: ['*/*'] }, aFile('a'), noise).ok).toBe(true)
  })

  test('that contains text is identified by its extension, and only as a text type', () => {
    expect(checkArrivedFile({}, aFile('a.csv', 'application/vnd.ms-excel'), text('a;b'))).toEqual({
      ok: true,
      value: 'text/csv',
    })
    expect(checkArrivedFile({}, aFile('a.exe', 'image/png'), text('hello'))).toEqual({ ok: true, value: 'text/plain' })
    expect(checkArrivedFile(pictures, aFile('a.png', 'image/png'), text('<script>')).ok).toBe(false)
    expect(checkArrivedFile(pictures, aFile('a.svg', 'image/svg+xml'), text('not a drawing')).ok).toBe(false)
  })

  test('is recognized as SVG with and without an XML prologue', () => {
    const xml = { sniffed: { type: 'application/xml', ending: 'xml' }, isText: true }
    const drawing = '<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n<svg xmlns="x"/>'
    expect(checkArrivedFile(pictures, aFile('a.svg'), { ...xml, head: drawing })).toEqual({
      ok: true,
      value: 'image/svg+xml',
    })
    expect(checkArrivedFile(pictures, aFile('a'), text('<svg width="1">')).ok).toBe(true)
    expect(checkArrivedFile(pictures, aFile('a.svg'), { ...xml, head: '<?xml?><feed><svg/>' }).ok).toBe(false)
  })

  test('in a legacy container format keeps its declared type if that matches', () => {
    const cfb: Evidence = { sniffed: { type: 'application/x-cfb', ending: 'cfb' }, isText: false, head: '' }
    expect(checkArrivedFile({ accept: ['application/msword'] }, aFile('a.doc', 'application/msword'), cfb).ok).toBe(
      true,
    )
    expect(checkArrivedFile(pictures, aFile('a.png', 'image/png'), cfb).ok).toBe(false)
  })
})

describe('a file during upload', () => {
  const unknown = (signature: string): Evidence => ({ ...noise, signature })
  const zip: Evidence = {
    sniffed: { type: 'application/zip', ending: 'zip' },
    isText: false,
    head: '',
    signature: '504b0304',
  }

  test('is rejected as soon as its first bytes reveal an unaccepted type', () => {
    expect(checkFirstBytes(pictures, aFile('a.png', 'image/png'), unknown('00112233')).ok).toBe(false)
    expect(checkFirstBytes(pictures, aFile('a.png'), text('hello')).ok).toBe(false)
    expect(checkFirstBytes({ accept: ['application/pdf'] }, aFile('a.pdf'), png).ok).toBe(false)
    expect(checkFirstBytes(pictures, aFile('a.png'), zip).ok).toBe(false)
  })

  test('is accepted if the field accepts its type or any type', () => {
    expect(checkFirstBytes(pictures, aFile('a'), png)).toEqual({ ok: true, value: 'image/png' })
    expect(checkFirstBytes({}, aFile('a'), unknown('00')).ok).toBe(true)
  })

  test('is accepted for now if its type can only be determined later', () => {
    const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    expect(checkFirstBytes({ accept: [word] }, aFile('a.docx'), zip).ok).toBe(true)
    expect(checkFirstBytes({ accept: ['.docx'] }, aFile('a.docx'), unknown('504b0304')).ok).toBe(true)
    expect(checkFirstBytes({ accept: ['audio/*'] }, aFile('a.mp3'), unknown('49443304')).ok).toBe(true)
    expect(checkFirstBytes({ accept: ['audio/mpeg'] }, aFile('a.mp3'), unknown('49443304')).ok).toBe(true)
    expect(checkFirstBytes({ accept: ['image/apng'] }, aFile('a.png'), png).ok).toBe(true)
  })

  test('is rejected if it is too large, regardless of its type', () => {
    expect(checkFirstBytes({ maxBytes: 999, accept: ['.docx'] }, aFile('a.docx'), zip).ok).toBe(false)
  })
})
