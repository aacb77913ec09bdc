import { expect, test } from 'vitest'
import { FILE_TYPE_GROUPS } from '#domain/uploads/file-type-groups.ts'
import { parseAcceptedTypes, printAcceptedTypes } from './options.tsx'

test('accepted file types are split into presets and other types', () => {
  const accept = printAcceptedTypes({ ticked: ['pictures', 'pdf'], own: ['.dwg'] })
  expect(accept).toEqual(['image/*', 'application/pdf', '.dwg'])
  expect(parseAcceptedTypes(accept)).toEqual({ ticked: ['pictures', 'pdf'], held: [], own: ['.dwg'] })
})

test('PDF is selected and removed together with the documents preset', () => {
  const { ticked, held } = parseAcceptedTypes(printAcceptedTypes({ ticked: ['documents'], own: [] }))
  expect([ticked, held]).toEqual([['documents', 'pdf'], ['pdf']])
  const left = ticked.filter((name) => name !== 'documents' && !held.includes(name))
  expect(printAcceptedTypes({ ticked: left, own: [] })).toEqual([])
})

test('parsing and formatting preserve every selection of file types', () => {
  for (const { accept, name } of FILE_TYPE_GROUPS) {
    const draft = parseAcceptedTypes(accept)
    expect(draft.ticked).toContain(name)
    expect(printAcceptedTypes(draft)).toEqual(accept)
  }
})
