import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { MARKS, NODES } from '#domain/rich-text/document-schema.ts'
import { randomDocuments } from '#tests/support/documents/random-documents.ts'
import { compactDocument } from './use-field-editor.ts'
import { editorSchema } from './extensions.ts'

const schema = editorSchema()

describe('the editor schema', () => {
  test('contains every node and mark that can be stored', () => {
    const names = [...Object.keys(schema.nodes), ...Object.keys(schema.marks)]
    expect([...Object.keys(NODES), ...Object.keys(MARKS)].filter((name) => !names.includes(name))).toEqual([])
  })

  test('parses and serializes every valid document unchanged', () => {
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
