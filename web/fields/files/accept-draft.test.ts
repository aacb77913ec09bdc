import { expect, test } from 'vitest'
import { TYPE_PRESETS } from '#domain/uploads/type-presets.ts'
import { readAccept, writeAccept } from './accept-draft.ts'

test('a list is shown as the presets it is made of, and what was written besides', () => {
  const accept = writeAccept({ ticked: ['pictures', 'pdf'], own: ['.dwg'] })
  expect(accept).toEqual(['image/*', 'application/pdf', '.dwg'])
  expect(readAccept(accept)).toEqual({ ticked: ['pictures', 'pdf'], held: [], own: ['.dwg'] })
})

test('PDF is ticked with the documents, and goes with them', () => {
  const { ticked, held } = readAccept(writeAccept({ ticked: ['documents'], own: [] }))
  expect([ticked, held]).toEqual([['documents', 'pdf'], ['pdf']])
  const left = ticked.filter((name) => name !== 'documents' && !held.includes(name))
  expect(writeAccept({ ticked: left, own: [] })).toEqual([])
})

test('what is read and written again stays the same for every choice', () => {
  for (const { accept, name } of TYPE_PRESETS) {
    const draft = readAccept(accept)
    expect(draft.ticked).toContain(name)
    expect(writeAccept(draft)).toEqual(accept)
  }
})
