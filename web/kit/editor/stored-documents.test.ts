import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDocument } from '#domain/rich-text/check-document.ts'
import { MARKS, NODES, type RichNode } from '#domain/rich-text/document-schema.ts'
import { randomDocuments } from '#tests/support/random-documents.ts'
import { compactDocument } from './compact-document.ts'
import { editorSchema } from './extensions.ts'

const schema = editorSchema()

/** What is stored and shown, and not yet written here. */
const UNKNOWN = ['image', 'file', 'mention']

/** A document without what the editor does not know yet. */
const known = ({ content, ...node }: RichNode): RichNode => ({
  ...node,
  ...(content && { content: content.filter(({ type }) => !UNKNOWN.includes(type)).map(known) }),
})

describe('the schema of the editor', () => {
  test('knows every node and every mark that may be stored', () => {
    const names = [...Object.keys(schema.nodes), ...Object.keys(schema.marks)]
    expect([...Object.keys(NODES), ...Object.keys(MARKS)].filter((name) => !names.includes(name))).toEqual(UNKNOWN)
  })

  test('takes every document that may be stored, and gives it back as it is stored', () => {
    fc.assert(
      fc.property(randomDocuments.map(known), (draft) => {
        const checked = checkDocument(draft)
        // Where nothing else stood, nothing is left.
        fc.pre(checked.ok)
        const node = schema.nodeFromJSON(checked.value)
        expect(() => node.check()).not.toThrow()
        expect(compactDocument(node.toJSON())).toEqual(checked.value)
      }),
      { numRuns: 300 },
    )
  })
})
