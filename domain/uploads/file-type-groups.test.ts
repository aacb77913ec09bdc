import { describe, expect, test } from 'vitest'
import { checkArrivedFile, checkDeclaredFile } from './file-rules.ts'
import type { Evidence } from './file-types.ts'
import { acceptFault, describeAccept, fileTypeGroupsOf, FILE_TYPE_GROUPS } from './file-type-groups.ts'

const presetOf = (name: string) => FILE_TYPE_GROUPS.find((preset) => preset.name === name) ?? { accept: [] }
const sniffed = (type: string, ending: string): Evidence => ({
  sniffed: { type, ending },
  isText: false,
  head: '',
})
const text: Evidence = { sniffed: null, isText: true, head: 'a,b' }

const office = 'application/vnd.openxmlformats-officedocument'

describe('accepts a file of an included type', () => {
  test.each([
    ['pictures', 'a.heic', '', sniffed('image/heic', 'heic')],
    ['pictures', 'a.jpg', 'image/jpeg', sniffed('image/jpeg', 'jpg')],
    ['documents', 'a.docx', '', sniffed(`${office}.wordprocessingml.document`, 'docx')],
    ['documents', 'a.doc', '', sniffed('application/x-cfb', 'cfb')],
    ['documents', 'a.rtf', 'text/rtf', sniffed('application/rtf', 'rtf')],
    ['documents', 'a.md', '', text],
    ['documents', 'a.pptx', '', sniffed(`${office}.presentationml.presentation`, 'pptx')],
    ['spreadsheets', 'a.xlsx', '', sniffed(`${office}.spreadsheetml.sheet`, 'xlsx')],
    ['spreadsheets', 'a.xls', 'application/octet-stream', sniffed('application/x-cfb', 'cfb')],
    ['spreadsheets', 'a.csv', 'application/vnd.ms-excel', text],
    ['audio', 'a.mp3', 'audio/mp3', sniffed('audio/mpeg', 'mp3')],
    ['video', 'a.mov', '', sniffed('video/quicktime', 'mov')],
    ['pdf', 'a.pdf', '', sniffed('application/pdf', 'pdf')],
  ])('%s: %s', (preset, name, type, evidence) => {
    const { accept } = presetOf(preset)
    const file = { name, type, bytes: 1 }
    expect(checkDeclaredFile({ accept }, file).ok).toBe(true)
    expect(checkArrivedFile({ accept }, file, evidence).ok).toBe(true)
  })
})

describe('rejects a file of another type', () => {
  test.each([
    ['pictures', 'a.pdf', sniffed('application/pdf', 'pdf')],
    ['documents', 'a.exe', sniffed('application/x-msdownload', 'exe')],
    ['documents', 'a.doc', sniffed('application/zip', 'zip')],
    ['spreadsheets', 'a.txt', text],
    ['spreadsheets', 'a.msi', sniffed('application/x-cfb', 'cfb')],
    ['pdf', 'a.pdf', text],
  ])('%s: %s', (preset, name, evidence) => {
    expect(checkArrivedFile({ accept: presetOf(preset).accept }, { name, type: '', bytes: 1 }, evidence).ok).toBe(false)
  })
})

test('describes a list of file types by its groups, or by its entries if they match no group', () => {
  const both = [...presetOf('pictures').accept, ...presetOf('spreadsheets').accept].toReversed()
  expect(describeAccept(both)).toBe('Images, Spreadsheets')
  expect(describeAccept(presetOf('documents').accept)).toBe('Documents')
  expect(describeAccept(['image/*', '.dwg'])).toBe('image/*, .dwg')
  expect(fileTypeGroupsOf(['.dwg'])).toBeUndefined()
})

test('file type groups contain only valid entries', () => {
  for (const { accept } of FILE_TYPE_GROUPS)
    expect(accept.map((entry) => acceptFault(entry))).toEqual(accept.map(() => undefined))
})

test.each(['pdf', '*.pdf', 'image', '', '. ', 'a/b/c', '.a,.b'])(
  'rejects the file type “%s” and suggests a valid one',
  (entry) => {
    expect(acceptFault(entry)).toContain('such as')
  },
)
