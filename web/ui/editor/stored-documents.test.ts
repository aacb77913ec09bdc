import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { MARKS, NODES } from '#domain/rich-text/document-schema.ts'
import { randomDocuments } from '#tests/support/documents/random-documents.ts'
import { compactDocument } from './use-field-editor.ts'
import { editorSchema } from './extensions.ts'

const schema = editorSchema()

describe('the schema of the editor', () => {
  test('knows every node and every mark that may be stored', () => {
    const names = [...Object.keys(schema.nodes), ...Object.keys(schema.marks)]
    expect([...Object.keys(NODES), ...Object.keys(MARKS)].filter((name) => !names.includes(name))).toEqual([])
  })

  test('takes every document that may be stored, and gives it back as it is stored', () => {
    fc.assert(
      fc.property(randomDocuments, (document) => {
        const node = schema.nodeFromJSON(document)
        expect(() => node.check()).not.toThrow()
        expect(compactDocument(node.toJSON())).toEqual(document)
      }),
      { numRuns: perTier(300) },
    )
  })
})
